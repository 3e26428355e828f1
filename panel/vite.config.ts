import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service that `vite panel` forwards API requests to. */
const serviceUrl = new URL(process.env['PIPIT_BASE_URL'] ?? 'http://127.0.0.1:8080').origin
const proxy = {
  target: serviceUrl,
  // The service accepts changes only from pages of its own origin.
  headers: { origin: serviceUrl },
}

const entityDecoder = 'decode-named-character-reference'

export default defineConfig(({ command }) => ({
  // In development, Vite serves pages and modules from `/`, because modules below `/panel/` could hide the API there.
  base: command === 'build' ? '/panel/' : '/',
  plugins: [react(), firstPaintScript()],
  resolve: {
    // The browser variant decodes with innerHTML, which the content security policy blocks.
    alias: [
      {
        find: entityDecoder,
        replacement: fileURLToPath(import.meta.resolve(entityDecoder)),
      },
      // Mantine's own container would add 20 kB to each page with a table.
      {
        find: './TableScrollContainer.mjs',
        replacement: join(import.meta.dirname, 'src/components/table-scroll-container.tsx'),
      },
    ],
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/panel/api': proxy, '/v1': proxy, '/openapi.json': proxy },
  },
  build: {
    outDir: join(import.meta.dirname, '../dist/panel'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Every page needs these, and one file compresses better than many small ones.
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack|@mantine\/core\/esm\/(core|components\/(Button|UnstyledButton|Loader|Text|Title|Group|Stack|Alert|CloseButton|Transition)))\//,
            },
          ],
        },
      },
    },
  },
}))

/** Adds first-paint.js as a classic script. Unlike a module, it blocks the first paint. */
function firstPaintScript(): Plugin {
  const name = 'first-paint.js'
  const tag = (src: string) => [{ tag: 'script', attrs: { src }, injectTo: 'head' as const }]
  return {
    name: 'first-paint-script',
    buildStart() {
      if (this.environment.mode === 'dev') return
      const source = readFileSync(join(import.meta.dirname, 'src', name), 'utf8')
      this.emitFile({ type: 'asset', name, source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        if (bundle === undefined) return tag(`/src/${name}`)
        const file = Object.values(bundle).find(
          (output) => output.type === 'asset' && output.names.includes(name),
        )
        assert(file !== undefined, `the build has no ${name}`)
        return tag(`/panel/${file.fileName}`)
      },
    },
  }
}
