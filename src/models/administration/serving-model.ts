import { availableParallelism, cpus, totalmem } from 'node:os'
import { basename } from 'node:path'
import { findModelCard } from '../../engine/describe-engine.ts'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import type { EngineSettings, KvType } from '../../engine/engine-settings.ts'
import type { EngineInfo } from '../../engine/engine.ts'
import { bundledModelPath } from '../../paths.ts'
import { catalogue } from '../catalogue.ts'
import { GgufError, type GgufHeader, readGgufHeader } from '../gguf-header.ts'
import { quantisationOf } from '../quantisation.ts'
import { bundledName, pulledAt } from '../store.ts'
import { bytesAt } from '../switching/room-for-model.ts'
import { type CardSection, readModelCard } from './model-card.ts'

/** The serving model, as described by its file and the catalogue. */
export type ServingModel = {
  /** Name under which the model can be chosen; undefined for a file named by a setting. */
  readonly name: string | undefined
  readonly file: string | undefined
  readonly bytes: number | undefined
  readonly title: string | undefined
  readonly goodAt: string | undefined
  readonly quantisation: string | undefined
  readonly architecture: string | undefined
  readonly parameters: string | undefined
  readonly trainedContextTokens: number | undefined
  readonly licence: string | undefined
  readonly source: string | undefined
  readonly kvType: KvType | undefined
  /** Number of compute threads. */
  readonly threads: number | undefined
  readonly card: readonly CardSection[]
}

/** Present state of this machine. */
export type Hardware = {
  readonly processor: string | undefined
  /** Processors available to this process. */
  readonly cores: number
  readonly memoryBytes: number
  readonly availableBytes: number
  readonly platform: string
  readonly node: string
}

/** Describes the serving model. Reads its file once for each loaded engine. */
export class ServingModelReader {
  readonly #dataDir: string
  #latest: { readonly key: string; readonly model: Promise<ServingModel> } | undefined

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  read(settings: EngineSettings, { fingerprint }: EngineInfo): Promise<ServingModel> {
    const key = `${settings.kind === 'embedded' ? settings.modelPath : ''}\n${fingerprint}`
    if (this.#latest?.key !== key) {
      const latest = { key, model: describe(this.#dataDir, settings) }
      this.#latest = latest
      // A file that cannot be read now is read again at the next call.
      latest.model.catch(() => {
        if (this.#latest === latest) this.#latest = undefined
      })
    }
    return this.#latest.model
  }
}

export function readHardware(): Hardware {
  return {
    processor: cpus()[0]?.model.trim() || undefined,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    availableBytes: availableMemory(),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  }
}

async function describe(dataDir: string, settings: EngineSettings): Promise<ServingModel> {
  if (settings.kind === 'scripted') return { ...withoutFile, title: 'Scripted engine' }
  if (settings.kind === 'upstream') return { ...withoutFile, title: settings.model }
  const { modelPath, kvType, threads } = settings
  const pulled = pulledAt(dataDir, modelPath)
  const header = await readHeader(modelPath)
  const text = (key: string) => header?.texts.get(`general.${key}`)
  const entry = catalogue.find(({ name }) => name === pulled?.entry)
  const file = basename(modelPath)
  return {
    name: pulled?.name ?? (modelPath === bundledModelPath ? bundledName : undefined),
    file,
    bytes: bytesAt(modelPath),
    title: entry?.title ?? text('name'),
    goodAt: entry?.goodAt,
    quantisation:
      pulled?.quantisation ?? quantisationOf(file.replace(/\.gguf$/i, '')) ?? fileTypeOf(header),
    architecture: header?.architecture,
    parameters: entry?.parameters ?? text('size_label'),
    trainedContextTokens: header?.numbers['context_length']?.[0],
    licence: pulled?.licence ?? text('license'),
    source: pulled?.source,
    kvType,
    threads,
    card: await readModelCard(findModelCard(settings)),
  }
}

const withoutFile: ServingModel = {
  name: undefined,
  file: undefined,
  bytes: undefined,
  title: undefined,
  goodAt: undefined,
  quantisation: undefined,
  architecture: undefined,
  parameters: undefined,
  trainedContextTokens: undefined,
  licence: undefined,
  source: undefined,
  kvType: undefined,
  threads: undefined,
  card: [],
}

/** Returns undefined for a header that this reader does not understand, although llama.cpp does. */
async function readHeader(path: string): Promise<GgufHeader | undefined> {
  try {
    return await readGgufHeader(path)
  } catch (error) {
    if (error instanceof GgufError) return undefined
    throw error
  }
}

/** Common values of llama.cpp's `llama_ftype` (include/llama.h). */
const fileTypes: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  7: 'Q8_0',
  10: 'Q2_K',
  12: 'Q3_K_M',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  32: 'BF16',
}

function fileTypeOf(header: GgufHeader | undefined): string | undefined {
  const type = header?.fileType
  return type === undefined ? undefined : fileTypes[type]
}
