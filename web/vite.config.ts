import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Where `heckmeck serve` listens while you work on the pages with `npm run dev`. */
const server = process.env.HECKMECK_SERVER ?? 'http://127.0.0.1:8000'

/** What the page needs, too. Its icon is the browser's own affair. */
const BESIDE = ['start.js']

/** Tells the service worker which files there are, so that it can keep all of them for moments without a network. */
function worker(): Plugin {
  return {
    name: 'worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const built = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const files = [...built, ...BESIDE].sort()
      // What is built has a hash in its name; the rest is looked into.
      const others = ['index.html', ...BESIDE.map((name) => `public/${name}`)]
      const version = createHash('sha256')
        .update([...files, ...others.map((name) => readFileSync(here(name), 'utf8'))].join())
        .digest('hex')
        .slice(0, 12)
      const source = readFileSync(here('worker/worker.js'), 'utf8')
        .replace("'__VERSION__'", JSON.stringify(version))
        .replace("['__FILES__']", JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'worker.js', source })
    },
  }
}

export default defineConfig({
  // Under which path the site is, only its server knows: it writes that into index.html.
  base: './',
  plugins: [svelte(), worker()],
  resolve: {
    alias: { '@narration': here('../src/heckmeck/narration') },
  },
  build: {
    outDir: here('../src/heckmeck/web_dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data: fonts or scripts, and files of their own are cached longer.
    assetsInlineLimit: 0,
    // What most pages use comes as one file: forty small ones are slower, and compress worse.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', test: (id) => !id.includes('node_modules'), minShareCount: 5 }],
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
    fs: { allow: [here('.'), here('../src/heckmeck/narration')] },
    proxy: { '/api': { target: server, ws: true } },
  },
})
