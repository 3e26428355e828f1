import { readMetadata } from '../../test/support/gguf/read-gguf.ts'

const stringType = 8
const alignmentDefault = 32

/** Returns a copy of a GGUF file with this chat template as an additional metadata entry. */
export function withChatTemplate(file: Buffer, chatTemplate: string): Buffer {
  const metadata = Object.entries(readMetadata(file))
  let end = 24
  for (const [key, value] of metadata) {
    const { encoded } = value as { encoded: Buffer }
    end += 8 + Buffer.byteLength(key) + encoded.length
  }
  const infosEnd = endOfTensorInfos(file, end)
  const alignment = alignmentOf(metadata)
  const head = Buffer.from(file.subarray(0, 24))
  head.writeBigUInt64LE(BigInt(metadata.length + 1), 16)
  const type = Buffer.alloc(4)
  type.writeUInt32LE(stringType)
  const entry = Buffer.concat([sized('tokenizer.chat_template'), type, sized(chatTemplate)])
  const start = Buffer.concat([head, entry, file.subarray(24, infosEnd)])
  const padding = Buffer.alloc(roundUp(start.length, alignment) - start.length)
  return Buffer.concat([start, padding, file.subarray(roundUp(infosEnd, alignment))])
}

function endOfTensorInfos(file: Buffer, begin: number): number {
  let offset = begin
  for (let left = Number(file.readBigUInt64LE(8)); left > 0; left--) {
    const dimensionsAt = offset + 8 + Number(file.readBigUInt64LE(offset))
    const dimensions = file.readUInt32LE(dimensionsAt)
    offset = dimensionsAt + 4 + 8 * dimensions + 4 + 8
  }
  return offset
}

function alignmentOf(metadata: readonly [string, unknown][]): number {
  const found = metadata.find(([key]) => key === 'general.alignment')?.[1]
  return found === undefined
    ? alignmentDefault
    : (found as { encoded: Buffer }).encoded.readUInt32LE(4)
}

function sized(text: string): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)))
  return Buffer.concat([length, Buffer.from(text)])
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}
