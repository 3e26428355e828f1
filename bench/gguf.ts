/** Dimensions as GGUF has them: columns first. */
export type Tensor = { name: string; dimensions: number[]; type: number; bytes: Buffer }

export const f32Type = 0
export const q8Type = 8

/** A little-endian GGUF file of version 3. */
export function toGguf(metadata: Buffer[], tensors: Tensor[]): Buffer {
  let offset = 0
  const infos = tensors.map(({ name, dimensions, type, bytes }) => {
    const at = offset
    offset += aligned(bytes.length)
    return Buffer.concat([
      text(name),
      u32(dimensions.length),
      ...dimensions.map(u64),
      u32(type),
      u64(at),
    ])
  })
  const counts = [u64(tensors.length), u64(metadata.length)]
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), ...counts, ...metadata, ...infos])
  return Buffer.concat([head, ...tensors.map(({ bytes }) => bytes)].map(padded))
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
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)])
}
