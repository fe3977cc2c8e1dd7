import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync, inflateSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Where `heckmeck serve` listens while you work on the pages with `npm run dev`. */
const server = process.env.HECKMECK_SERVER ?? 'http://127.0.0.1:8000'

/** What the page needs, too. Its icon is the browser's own affair. */
const BESIDE = ['start.js']

/** The puzzles of an edition are kept when they were opened once: all of them would be more than the rest of the app. */
const isPuzzles = (file: { type: string; facadeModuleId?: string | null }): boolean =>
  file.facadeModuleId?.startsWith(here('../src/heckmeck/puzzles')) ?? false

/** Tells the service worker which files there are, so that it can keep all of them for moments without a network. */
function worker(): Plugin {
  return {
    name: 'worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const built = Object.entries(bundle).flatMap(([name, file]) => (name.startsWith('assets/') && !isPuzzles(file) ? [name] : []))
      const files = [...built, ...BESIDE].sort()
      // What is built has a hash in its name; the rest is looked into.
      const others = ['index.html', ...BESIDE.map((name) => `public/${name}`)]
      const version = createHash('sha256')
        .update([...files, ...others.map((name) => readFileSync(here(name), 'utf8'))].join())
        .digest('hex')
        .slice(0, 12)
      const large = Object.entries(bundle).flatMap(([name, file]) => {
        const source = file.type === 'asset' ? file.source : file.code
        return name.startsWith('python/') || isPuzzles(file) ? [[name, Buffer.byteLength(source)] as const] : []
      })
      const source = readFileSync(here('worker/worker.js'), 'utf8')
        .replace("'__VERSION__'", JSON.stringify(version))
        .replace("['__FILES__']", JSON.stringify(files))
        .replace("['__LARGE__']", JSON.stringify(large))
        .replace("'__LARGE_VERSION__'", JSON.stringify(createHash('sha256').update(JSON.stringify(large)).digest('hex').slice(0, 12)))
      this.emitFile({ type: 'asset', fileName: 'worker.js', source })
    },
  }
}

/** The letters that the server draws names with; what draws them there cannot unpack the browsers' form. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic']

/** Puts our font where the server finds it: pictures of tables do not depend on the fonts of its machine. */
function fonts(): Plugin {
  return {
    name: 'fonts',
    apply: 'build',
    generateBundle() {
      for (const subset of SUBSETS) {
        const packed = readFileSync(here(`node_modules/@fontsource/bitter/files/bitter-${subset}-700-normal.woff`))
        this.emitFile({ type: 'asset', fileName: `fonts/bitter-${subset}.ttf`, source: unpacked(packed) })
      }
    },
  }
}

/** A font as TrueType from WOFF 1: the same tables, not compressed, behind another directory. */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const power = Math.floor(Math.log2(count))
  const head = Buffer.alloc(12 + 16 * count)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(16 * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(16 * count - 16 * 2 ** power, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (let at = 0; at < count; at += 1) {
    const entry = 44 + 20 * at
    const [from, size, full] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [number, number, number]
    const stored = woff.subarray(from, from + size)
    const table = size < full ? inflateSync(stored) : stored
    const to = 12 + 16 * at
    woff.copy(head, to, entry, entry + 4)
    woff.copy(head, to + 4, entry + 16, entry + 20)
    head.writeUInt32BE(offset, to + 8)
    head.writeUInt32BE(full, to + 12)
    parts.push(table, Buffer.alloc(-full & 3))
    offset += full + (-full & 3)
  }
  return Buffer.concat(parts)
}

/** The files of Python: name in the site, and contents. What it loads itself is compressed here, not by every server. */
function pythonFiles(): Map<string, Buffer> {
  const npm = (name: string) => readFileSync(here(`node_modules/pyodide/${name}`))
  const packed = (data: Buffer) => gzipSync(data, { level: 9 })
  const ours = here('node_modules/.python/')
  return new Map([
    // Not every server knows that .mjs is JavaScript.
    ['pyodide.js', withoutMap(npm('pyodide.mjs'))],
    ['pyodide.asm.js', npm('pyodide.asm.mjs')],
    ['pyodide.asm.wasm.pack', packed(npm('pyodide.asm.wasm'))],
    ['python_stdlib.zip.pack', packed(npm('python_stdlib.zip'))],
    ...readdirSync(ours).toSorted().map((name) => [`${name}.pack`, packed(readFileSync(ours + name))] as const),
  ])
}

const withoutMap = (code: Buffer) => Buffer.from(code.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*/, ''))

/** Puts Python into the pages: our own in `node_modules/.python` comes from hatch_build.py. */
function python(): Plugin {
  let files = new Map<string, Buffer>()
  let folder = ''
  return {
    name: 'python',
    apply: 'build',
    config() {
      files = pythonFiles()
      const digest = createHash('sha256')
      for (const [name, data] of files) digest.update(name).update(data)
      folder = `python/${digest.digest('hex').slice(0, 12)}`
      const lock = JSON.parse(readFileSync(here('node_modules/pyodide/pyodide-lock.json'), 'utf8')) as object
      const about = {
        folder,
        packages: [...files.keys()].flatMap((name) => (/^(heckmeck|msgspec)/.test(name) ? [name.replace('.pack', '')] : [])),
        lock: JSON.stringify({ ...lock, packages: {} }),
        bytes: [...files].reduce((sum, [name, data]) => sum + (name.endsWith('.pack') ? data.length : 0), 0),
      }
      return { define: { __PYTHON__: JSON.stringify(about) } }
    },
    generateBundle() {
      for (const [name, source] of files) this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source })
    },
  }
}

export default defineConfig({
  // Under which path the site is, only its server knows: it writes that into index.html.
  base: './',
  plugins: [svelte(), python(), worker(), fonts()],
  // The worker is in the folder of Python, where it may compile it.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'python/[name]-[hash].js' } } },
  resolve: {
    alias: {
      '@drawing': here('../src/heckmeck/drawing'),
      '@narration': here('../src/heckmeck/narration'),
      '@puzzles': here('../src/heckmeck/puzzles'),
    },
  },
  build: {
    outDir: here('../src/heckmeck/web_dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data: fonts or scripts, and files of their own are cached longer.
    assetsInlineLimit: 0,
    // What most pages use comes as one file: forty small ones are slower, and compress worse. What several
    // pages of study share is no use to a table.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', test: (id) => !/node_modules|\/src\/(review|learn|puzzle|games|book|editor)\/|reasons|Reason|WeighedMoves|narration\/study|Coming|host\.svelte|offline/.test(id), minShareCount: 5 }],
        },
      },
    },
    modulePreload: { polyfill: false },
  },
  test: {
    // What is compared with Python runs when Python asks for it (tests/web/test_same_as_python.py).
    exclude: [...configDefaults.exclude, ...(process.env.HECKMECK_TOLD ? [] : ['tests/python/**'])],
  },
  server: {
    fs: { allow: [here('.'), here('../src/heckmeck')] },
    proxy: { '/api': { target: server, ws: true } },
  },
})
