// Builds the service, dist/, and the developer panel, dist/panel/.
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BuildError, buildFolder, filesIn, hashOf, pinnedVersions, root } from './build-part.mjs'
import { buildPanel, firstLoads } from './panel.mjs'

const panelFolder = join(root, 'dist/panel')

/** Entry points of processes and threads: src/<entry>.ts becomes dist/<entry>.js. */
const entries = [
  'cli/main',
  'engine/embedded/child/main',
  'engine/embedded/child/prepare/prepare-thread',
  'storage/threads/storage-thread',
  'storage/threads/postgres-thread',
  'storage/threads/reader-thread',
]
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The package with native code, which stays as npm installs it. `pg` loads `pg-native` only if a variable asks for it. */
const external = ['better-sqlite3', 'pg-native']
/** Packages that are bundled together with their dependencies. */
export const bundled = Object.keys(dependencies).filter((name) => !external.includes(name))
const panelPackages = [
  'vite',
  '@vitejs/plugin-react',
  'react',
  'react-dom',
  '@mantine/core',
  '@mantine/hooks',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'react-markdown',
  'remark-gfm',
  'uplot',
  'uqr',
  'typebox',
]

/** The bundles contain the packages that the packages need, so a change of any version makes them stale. */
const lockFile = join(root, 'package-lock.json')

/** Returns the compiled service; undefined in a package without sources. */
export function servicePart() {
  if (!existsSync(join(root, 'src'))) return undefined
  const inputs = [join(root, 'src'), join(root, 'tools/build-service.mjs'), lockFile]
  return {
    name: 'the service',
    key: hashOf(inputs, pinnedVersions(['rolldown', ...bundled]), (file) =>
      /(?<!\.test)\.(ts|json|mjs)$/.test(file),
    ),
    stampFile: join(buildFolder, 'dist.stamp'),
    outputs: entries.map((entry) => join(root, `dist/${entry}.js`)),
    make: makeService,
  }
}

/** Returns the developer panel. */
export function panelPart() {
  const source = join(root, 'panel')
  if (!existsSync(source)) return undefined
  return {
    name: 'the developer panel',
    key: hashOf(
      [source, ...serviceFilesIn(source), join(root, 'tools/panel.mjs'), lockFile],
      pinnedVersions(panelPackages),
      (file) => /(?<!\.test)\.(tsx?|json|js|mjs|css|svg|html)$/.test(file),
    ),
    stampFile: join(buildFolder, 'panel.stamp'),
    outputs: [panelFolder],
    make: makePanel,
    remark: () => {
      const [largest] = firstLoads(panelFolder)
      const kilobytes = (largest.bytes / 1000).toFixed(1)
      return `  ${largest.page} loads ${kilobytes} kB of JavaScript (gzipped) first; the other pages load less`
    },
  }
}

/** Returns the files of the service that the panel imports. Those with values import nothing themselves. */
function serviceFilesIn(source) {
  const paths = filesIn(source)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'(?:\.\.\/)+(src\/[^']+)'/g)])
    .map(([, path]) => join(root, path))
  return [...new Set(paths)]
}

async function makeService() {
  await replaceFolder(join(root, 'dist'), async (next) => {
    await bundle(next)
    if (existsSync(panelFolder)) cpSync(panelFolder, join(next, 'panel'), { recursive: true })
  })
}

async function makePanel() {
  await replaceFolder(panelFolder, async (next) => {
    try {
      await buildPanel(root, next)
    } catch (error) {
      throw new BuildError(`vite failed:\n${error.message}`)
    }
  })
}

/**
 * Makes a folder beside the old one and swaps them, so that a service that starts in the meantime finds a complete
 * folder.
 */
async function replaceFolder(folder, make) {
  const [next, last] = [`${folder}-next`, `${folder}-last`]
  rmSync(next, { recursive: true, force: true })
  try {
    await make(next)
    rmSync(last, { recursive: true, force: true })
    if (existsSync(folder)) renameSync(folder, last)
    renameSync(next, folder)
  } finally {
    for (const left of [next, last]) rmSync(left, { recursive: true, force: true })
  }
}

/**
 * Strips the types and bundles the modules: loading hundreds of small files would double the
 * start-up time. The packages come with them, without files that are never loaded (docs/decisions/0016).
 */
async function bundle(folder) {
  try {
    const { rolldown } = await import('rolldown')
    const built = await rolldown({
      input: Object.fromEntries(entries.map((entry) => [entry, join(root, `src/${entry}.ts`)])),
      platform: 'node',
      external,
      logLevel: 'silent',
    })
    await built.write({
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      sourcemap: true,
      // White space is a quarter of the modules. Names stay, for stack traces.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    })
    await built.close()
  } catch (error) {
    throw new BuildError(`rolldown failed:\n${error.message}`)
  }
}
