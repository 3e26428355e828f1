import assert from 'node:assert/strict'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { weightBlocks, type WeightType } from './weight-blocks.ts'

export type Metadata = Readonly<Record<string, MetadataValue>>

/** Plain numbers are written as uint32. */
type MetadataValue =
  | number
  | string
  | boolean
  | readonly string[]
  | { readonly float32: number }
  | { readonly int32s: readonly number[] }
  | { readonly float32s: readonly number[] }
  /** The type id and the value, encoded as in a file. */
  | { readonly encoded: Buffer }

export type Tensor = {
  readonly name: string
  /** Columns first, as GGUF stores them. */
  readonly dimensions: readonly number[]
  readonly type: TensorType
  /** Called once per tensor, in the order of the list, so that one tensor at a time is in memory. */
  readonly bytes: () => Buffer
}

type TensorType = WeightType | 'f32'

/** Writes a little-endian GGUF file of version 3. */
export function writeGguf(path: string, metadata: Metadata, tensors: readonly Tensor[]): void {
  const file = openSync(path, 'w')
  try {
    for (const part of ggufParts(metadata, tensors)) writeFileSync(file, part)
  } finally {
    closeSync(file)
  }
}

/** Returns the file that `writeGguf` writes, as one buffer. */
export function ggufBytes(metadata: Metadata, tensors: readonly Tensor[]): Buffer {
  return Buffer.concat([...ggufParts(metadata, tensors)])
}

function byteLength({ dimensions, type }: Pick<Tensor, 'dimensions' | 'type'>): number {
  const { blockValues, blockBytes } = tensorTypes[type]
  return (dimensions.reduce((product, size) => product * size, 1) / blockValues) * blockBytes
}

const alignment = 32
const tensorTypes = { ...weightBlocks, f32: { id: 0, blockValues: 1, blockBytes: 4 } }

function* ggufParts(metadata: Metadata, tensors: readonly Tensor[]): Iterable<Buffer> {
  yield padded(header(metadata, tensors))
  for (const tensor of tensors) {
    const bytes = tensor.bytes()
    assert.equal(bytes.length, byteLength(tensor), tensor.name)
    yield padded(bytes)
  }
}

function header(metadata: Metadata, tensors: readonly Tensor[]): Buffer {
  let offset = 0
  const infos = tensors.map((tensor) => {
    const { name, dimensions, type } = tensor
    const begin = offset
    offset += aligned(byteLength(tensor))
    return Buffer.concat([
      text(name),
      uint32(dimensions.length),
      ...dimensions.map(uint64),
      uint32(tensorTypes[type].id),
      uint64(begin),
    ])
  })
  const entries = Object.entries(metadata)
  return Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.map(([key, value]) => Buffer.concat([text(key), typedValue(value)])),
    ...infos,
  ])
}

export const typeIds = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const

function typedValue(value: MetadataValue): Buffer {
  if (typeof value === 'number') return Buffer.concat([uint32(typeIds.uint32), uint32(value)])
  if (typeof value === 'string') return Buffer.concat([uint32(typeIds.string), text(value)])
  if (typeof value === 'boolean')
    return Buffer.concat([uint32(typeIds.bool), Buffer.of(Number(value))])
  if ('encoded' in value) return value.encoded
  if ('float32' in value) return Buffer.concat([uint32(typeIds.float32), float32(value.float32)])
  if ('int32s' in value) return array(typeIds.int32, value.int32s.map(uint32))
  if ('float32s' in value) return array(typeIds.float32, value.float32s.map(float32))
  return array(typeIds.string, value.map(text))
}

function array(itemType: number, items: readonly Buffer[]): Buffer {
  const head = [uint32(typeIds.array), uint32(itemType), uint64(items.length)]
  return Buffer.concat([...head, ...items])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer)
}

function uint64(value: number): Buffer {
  return Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
}

function float32(value: number): Buffer {
  return Buffer.from(Float32Array.of(value).buffer)
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)])
}
