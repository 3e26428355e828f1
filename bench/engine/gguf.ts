import { closeSync, openSync, writeFileSync } from 'node:fs'

/** Dimensions as GGUF has them: columns first. */
export type Tensor = {
  name: string
  dimensions: number[]
  type: TensorType
  /** Asked for once and in the order of the list, so that one tensor at a time is in memory. */
  bytes: () => Buffer
}

export type TensorType = keyof typeof tensorTypes

/** By type: the number of it, and how many values make a block of how many bytes. */
export const tensorTypes = {
  f32: { id: 0, blockValues: 1, blockBytes: 4 },
  q4: { id: 2, blockValues: 32, blockBytes: 18 },
  q8: { id: 8, blockValues: 32, blockBytes: 34 },
} as const

/** A little-endian GGUF file of version 3. */
export function writeGguf(path: string, metadata: Buffer[], tensors: Tensor[]): void {
  const file = openSync(path, 'w')
  try {
    writeFileSync(file, headOf(metadata, tensors))
    for (const { bytes } of tensors) writeFileSync(file, padded(bytes()))
  } finally {
    closeSync(file)
  }
}

export function byteLength({ dimensions, type }: Pick<Tensor, 'dimensions' | 'type'>): number {
  const { blockValues, blockBytes } = tensorTypes[type]
  return (dimensions.reduce((product, size) => product * size, 1) / blockValues) * blockBytes
}

function headOf(metadata: Buffer[], tensors: Tensor[]): Buffer {
  let offset = 0
  const infos = tensors.map((tensor) => {
    const { name, dimensions, type } = tensor
    const at = offset
    offset += aligned(byteLength(tensor))
    return Buffer.concat([
      text(name),
      u32(dimensions.length),
      ...dimensions.map(u64),
      u32(tensorTypes[type].id),
      u64(at),
    ])
  })
  const counts = [u64(tensors.length), u64(metadata.length)]
  return padded(Buffer.concat([Buffer.from('GGUF'), u32(3), ...counts, ...metadata, ...infos]))
}

export function countEntry(key: string, value: number): Buffer {
  return entry(key, 4, u32(value))
}

export function realEntry(key: string, value: number): Buffer {
  return entry(key, 6, Buffer.from(Float32Array.of(value).buffer))
}

export function flagEntry(key: string, value: boolean): Buffer {
  return entry(key, 7, Buffer.of(Number(value)))
}

export function stringEntry(key: string, value: string): Buffer {
  return entry(key, stringType, text(value))
}

export function stringsEntry(key: string, values: string[]): Buffer {
  return listEntry(key, stringType, values.map(text))
}

export function integersEntry(key: string, values: number[]): Buffer {
  return listEntry(key, 5, values.map(u32))
}

const stringType = 8
const alignment = 32

function listEntry(key: string, itemType: number, items: Buffer[]): Buffer {
  return entry(key, 9, Buffer.concat([u32(itemType), u64(items.length), ...items]))
}

function entry(key: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), u32(type), value])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer)
}

function u64(value: number): Buffer {
  return Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment
}

function padded(bytes: Buffer): Buffer {
  if (bytes.length % alignment === 0) return bytes
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)])
}
