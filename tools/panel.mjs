// Builds the developer panel with Vite and compresses it once, so that the service need not compress it for each
// request. Plain JavaScript for Node 20, like build-service.mjs, which calls it.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(js|css|svg|html)$/

/** Writes the panel into `folder`: index.html, assets/ and, beside each file, its .gz and .br. */
export async function buildPanel(root, folder) {
  const { build } = await import('vite')
  const environment = process.env.NODE_ENV
  // Vite takes over a NODE_ENV that is set, as tests do, and would bundle React's development build.
  process.env.NODE_ENV = 'production'
  try {
    await build({
      root: join(root, 'panel'),
      configFile: join(root, 'panel/vite.config.ts'),
      build: { outDir: folder },
      logLevel: 'error',
    })
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
  await Promise.all(
    [folder, join(folder, 'assets')].flatMap((place) =>
      readdirSync(place)
        .filter((name) => compressible.test(name))
        .map((name) => compress(join(place, name))),
    ),
  )
}

/**
 * Returns the gzipped JavaScript that each page loads before it can be used: the entry, the shell and the page.
 * @returns {{ page: string, bytes: number }[]} largest first
 */
export function firstLoads(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const withImports = (id, seen) => {
    if (seen.has(id)) return seen
    seen.add(id)
    for (const imported of manifest[id].imports ?? []) withImports(imported, seen)
    return seen
  }
  const size = (page) => {
    const chunks = new Set()
    for (const id of ['index.html', 'src/shell/shell.tsx', page]) withImports(id, chunks)
    const files = [...chunks].map((id) => join(folder, `${manifest[id].file}.gz`))
    return files.reduce((bytes, file) => bytes + statSync(file).size, 0)
  }
  return Object.keys(manifest)
    .filter((id) => /^src\/pages\/.*-page\.tsx$/.test(id))
    .map((page) => ({ page, bytes: size(page) }))
    .sort((a, b) => b.bytes - a.bytes)
}

async function compress(file) {
  const source = readFileSync(file)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [gz, br] = await Promise.all([
    promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(source, brotli),
  ])
  writeFileSync(`${file}.gz`, gz)
  writeFileSync(`${file}.br`, br)
}
