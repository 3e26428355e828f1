// Platforms that the engine is built for, each with the package that contains llama.cpp. Plain JavaScript for Node 20,
// like everything that `npm run build` runs.
import { BuildError } from '../build-part.mjs'

/**
 * @typedef {object} Platform
 * @property {string} id end of the name of our engine package, `@pipit/engine-<id>`
 * @property {string} os `process.platform`
 * @property {string} cpu `process.arch`
 * @property {string} [libc] as in package.json
 * @property {string} llamaPackage package that contains llama.cpp; its libraries are in bins/<the name's last part>
 * @property {string} compiler compiler on a machine of this platform
 * @property {string} [crossCompiler] compiler on a machine of another platform
 */

/** llama.cpp's packages need glibc, so musl is not supported. */
const platforms = [
  {
    id: 'linux-x64',
    os: 'linux',
    cpu: 'x64',
    libc: 'glibc',
    llamaPackage: '@node-llama-cpp/linux-x64',
    compiler: 'g++',
    crossCompiler: 'x86_64-linux-gnu-g++',
  },
  {
    id: 'linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    libc: 'glibc',
    llamaPackage: '@node-llama-cpp/linux-arm64',
    compiler: 'g++',
    crossCompiler: 'aarch64-linux-gnu-g++',
  },
  {
    id: 'darwin-arm64',
    os: 'darwin',
    cpu: 'arm64',
    llamaPackage: '@node-llama-cpp/mac-arm64-metal',
    compiler: 'clang++',
  },
  {
    id: 'darwin-x64',
    os: 'darwin',
    cpu: 'x64',
    llamaPackage: '@node-llama-cpp/mac-x64',
    compiler: 'clang++',
  },
]

export const hostId = `${process.platform}-${process.arch}`

/** The ids of all platforms. */
export const platformIds = platforms.map(({ id }) => id)

/**
 * Returns the platform with an id.
 * @throws BuildError
 */
export function platformOf(id) {
  const platform = platforms.find((candidate) => candidate.id === id)
  if (platform !== undefined) return platform
  throw new BuildError(
    `The engine cannot be built for ${id} so far; it is built for ${platformIds.join(', ')}.`,
  )
}
