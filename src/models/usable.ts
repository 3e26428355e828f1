import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findEngineBuild } from '../engine/embedded/engine-build.ts'
import { StartError } from '../errors.ts'
import { GgufError, type GgufHeader, readGgufHeader, TruncatedHeader } from './gguf-header.ts'

/** Architectures of embedding models, which turn a text into a vector. */
const embeddingArchitectures = /(^|-)bert|^(gemma-embedding|llama-embed|t5encoder)$/

/**
 * Checks by its header that a file is a model that can chat.
 * @param isWhole false for the start of a file, whose header may be incomplete
 * @throws StartError
 */
export async function requireUsable(name: string, path: string, isWhole: boolean): Promise<void> {
  let header: GgufHeader
  try {
    header = await readGgufHeader(path)
  } catch (error) {
    if (!(error instanceof GgufError)) throw error
    if (!(error instanceof TruncatedHeader) || isWhole)
      throw new StartError(`${name} cannot be used: ${error.message}. Choose another file.`)
    header = error.partial
    // The entry that names the architecture follows later.
    if (header.architecture === undefined) return
  }
  const cause = unusableBecause(header)
  if (cause !== undefined)
    throw new StartError(`${name} cannot be used: ${cause}. Choose a model that generates text.`)
}

/** Returns a clause that says why Pipit cannot serve the model; undefined if it can. */
function unusableBecause({ architecture, texts, numbers }: GgufHeader): string | undefined {
  const type = texts.get('general.type') ?? 'model'
  if (architecture === undefined) return 'its header names no architecture'
  if (architecture === 'clip' || type === 'mmproj')
    return 'it is the vision part of a model (mmproj), not a model'
  if (type !== 'model') return `it is of the type ${JSON.stringify(type)}, not a model`
  const [pooling = 0] = numbers['pooling_type'] ?? []
  if (embeddingArchitectures.test(architecture) || pooling > 0)
    return 'it is an embedding or ranking model'
  if (!llamaKnows(architecture))
    return `llama.cpp as Pipit brings it does not know its architecture ${JSON.stringify(architecture)}`
  return undefined
}

/**
 * Searches llama.cpp's library file for the architecture's name, because llama.cpp offers no way to ask before a load.
 */
function llamaKnows(architecture: string): boolean {
  const { librariesPath } = findEngineBuild('off')
  const name = readdirSync(librariesPath).find((file) =>
    /^libllama\.(v[\d.]+\.)?(so|dylib)$/.test(file),
  )
  // The package has another layout. Loading the model will show whether it works.
  if (name === undefined) return true
  return readFileSync(join(librariesPath, name)).includes(`\0${architecture}\0`)
}
