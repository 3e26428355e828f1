import assert from 'node:assert/strict'
import { type Metadata, typeIds } from './write-gguf.ts'

/** Reads the metadata of a little-endian GGUF file, for `writeGguf` to write again. */
export function readMetadata(file: Buffer): Metadata {
  assert.equal(file.toString('latin1', 0, 4), 'GGUF')
  const count = Number(file.readBigUInt64LE(16))
  const metadata: Record<string, { encoded: Buffer }> = {}
  let offset = 24
  for (let entry = 0; entry < count; entry++) {
    const key = textAt(file, offset)
    const begin = key.end
    offset = endOfValue(file, begin + 4, file.readUInt32LE(begin))
    metadata[key.text] = { encoded: file.subarray(begin, offset) }
  }
  return metadata
}

/** Returns the strings of an array; none if there is no such entry. */
export function textsOf(metadata: Metadata, key: string): string[] {
  const value = metadata[key]
  if (Array.isArray(value)) return value
  const encoded = encodedOf(metadata, key)
  if (encoded === undefined) return []
  assert.equal(encoded.readUInt32LE(4), typeIds.string, key)
  const texts: string[] = []
  for (let offset = headOfArray; texts.length < lengthOfArray(encoded);) {
    const { text, end } = textAt(encoded, offset)
    texts.push(text)
    offset = end
  }
  return texts
}

/** Returns the numbers of an array of int32 or float32; none if there is no such entry. */
export function numbersOf(metadata: Metadata, key: string): number[] {
  const encoded = encodedOf(metadata, key)
  if (encoded === undefined) return []
  const isFloat = encoded.readUInt32LE(4) === typeIds.float32
  return Array.from({ length: lengthOfArray(encoded) }, (_, index) => {
    const offset = headOfArray + 4 * index
    return isFloat ? encoded.readFloatLE(offset) : encoded.readInt32LE(offset)
  })
}

/** Bytes of an array before its items: two type ids and the length. */
const headOfArray = 16

function lengthOfArray(encoded: Buffer): number {
  return Number(encoded.readBigUInt64LE(8))
}

function encodedOf(metadata: Metadata, key: string): Buffer | undefined {
  const value = metadata[key]
  return typeof value === 'object' && 'encoded' in value ? value.encoded : undefined
}

function textAt(file: Buffer, offset: number): { text: string; end: number } {
  const end = offset + 8 + Number(file.readBigUInt64LE(offset))
  return { text: file.toString('utf8', offset + 8, end), end }
}

function endOfValue(file: Buffer, offset: number, typeId: number): number {
  if (typeId === typeIds.string) return textAt(file, offset).end
  if (typeId !== typeIds.array) return offset + (bytesOfTypes[typeId] ?? Number.NaN)
  const itemType = file.readUInt32LE(offset)
  const length = Number(file.readBigUInt64LE(offset + 4))
  let end = offset + 12
  if (itemType !== typeIds.string) return end + length * (bytesOfTypes[itemType] ?? Number.NaN)
  for (let item = 0; item < length; item++) end = textAt(file, end).end
  return end
}

/**
 * Size in bytes of a value, by the id of its type: uint8 to float32, bool, then string and array, which have no fixed
 * size, then the numbers of 64 bits.
 */
const bytesOfTypes = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8]
