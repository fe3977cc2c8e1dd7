import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Where `heckmeck serve` listens while you work on the pages with `npm run dev`. */
const server = process.env.HECKMECK_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: { '@narration': here('../src/heckmeck/narration') },
  },
  build: {
    outDir: here('../src/heckmeck/web_dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data: fonts or scripts, and files of their own are cached longer.
    assetsInlineLimit: 0,
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
