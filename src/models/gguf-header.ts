import { type FileHandle, open } from 'node:fs/promises'
import { printableText } from './hub/printable-text.ts'
import {
  headerBytesMax,
  headerEntriesMax,
  headerItemsMax,
  headerNumbersMax,
  licenceCharsMax,
  modelTextCharsMax,
} from './models-limits.ts'

/** Metadata of a GGUF file that determines whether and how the file can be used. */
export type GgufHeader = {
  readonly architecture: string | undefined
  /** The texts of `keptTexts` by key, cut and printable. */
  readonly texts: ReadonlyMap<string, string>
  /** Integers of `keptNumbers` by key, without the architecture's prefix: a single one, or one per layer. */
  readonly numbers: Readonly<Record<string, readonly number[]>>
  readonly hasChatTemplate: boolean
  /** llama.cpp's number for the quantisation of most tensors. */
  readonly fileType: number | undefined
}

/** Thrown if the file is damaged or not GGUF. The message is a clause about the file, such as "it is damaged". */
export class GgufError extends Error {
  override readonly name = 'GgufError'
}

/** Thrown if the file ends before its header does. */
export class TruncatedHeader extends GgufError {
  /** The entries before the end of the file. */
  readonly partial: GgufHeader

  constructor(partial: GgufHeader) {
    super('it is truncated')
    this.partial = partial
  }
}

class EndOfFile extends Error {}

const bytesOfNumbers = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8]
const textType = 8
const listType = 9
/** Texts that are read, and the number of characters that are kept of each. All others are skipped. */
const keptTexts: ReadonlyMap<string, number> = new Map([
  ['general.architecture', modelTextCharsMax],
  ['general.type', modelTextCharsMax],
  ['general.name', modelTextCharsMax],
  ['general.size_label', modelTextCharsMax],
  ['general.license', licenceCharsMax],
  // Only its presence matters.
  ['tokenizer.chat_template', 0],
])
/** Keys of the integers that are read: all but the first one follow the name of the architecture. */
const keptNumbers =
  /^general\.file_type$|\.(?:context_length|block_count|embedding_length|pooling_type|attention\.(?:head_count(?:_kv)?|key_length|value_length))$/
/** A text is cut to this many bytes. */
const keptTextBytesMax = 1000
/** Longest list of numbers that is kept. */
const keptNumbersMax = 4096
const keyBytesMax = 64 * 1024

/**
 * Reads the metadata without llama.cpp: a command has no sandbox, so it must not give a downloaded file to
 * native code.
 * @throws GgufError
 */
export async function readGgufHeader(path: string): Promise<GgufHeader> {
  const file = await open(path)
  try {
    return await readHeader(new ByteReader(file))
  } finally {
    await file.close()
  }
}

async function readHeader(reader: ByteReader): Promise<GgufHeader> {
  const entries = { texts: new Map<string, string>(), numbers: new Map<string, number[]>() }
  try {
    await readEntries(reader, entries)
  } catch (error) {
    if (error instanceof EndOfFile) throw new TruncatedHeader(toHeader(entries))
    throw error
  }
  return toHeader(entries)
}

type Entries = { readonly texts: Map<string, string>; readonly numbers: Map<string, number[]> }

async function readEntries(reader: ByteReader, { texts, numbers }: Entries): Promise<void> {
  const magic = (await reader.take(4)).toString('latin1')
  if (magic !== 'GGUF') throw new GgufError('it is not a GGUF file')
  const version = (await reader.take(4)).readUInt32LE()
  if (version < 2 || version > 3)
    throw new GgufError(`its GGUF version ${version} is not supported`)
  await reader.count()
  const entries = await reader.count()
  if (entries > headerEntriesMax)
    throw new GgufError('it is damaged: it announces too many entries')
  let numbersCount = 0
  for (let entry = 0; entry < entries; entry++) {
    const key = await reader.text(keyBytesMax)
    const charsMax = keptTexts.get(key)
    const isKept = charsMax !== undefined || keptNumbers.test(key)
    const value = await readValue(reader, (await reader.take(4)).readUInt32LE(), isKept)
    if (typeof value === 'string') texts.set(key, printableText(value, charsMax ?? 0))
    else if (value !== undefined) {
      numbersCount += value.length
      if (numbersCount > headerNumbersMax)
        throw new GgufError('it is damaged: it has too many numbers')
      numbers.set(key, value)
    }
  }
}

function toHeader({ texts, numbers }: Entries): GgufHeader {
  const architecture = texts.get('general.architecture')
  const prefix = `${architecture}.`
  const own = [...numbers].filter(([key]) => key.startsWith(prefix))
  return {
    architecture,
    texts,
    numbers: Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value])),
    hasChatTemplate: texts.has('tokenizer.chat_template'),
    fileType: numbers.get('general.file_type')?.[0],
  }
}

/** Returns a short text or integers that are to be kept; undefined for any other value, which is skipped. */
async function readValue(
  reader: ByteReader,
  type: number,
  isKept: boolean,
): Promise<string | number[] | undefined> {
  if (type === textType) {
    if (isKept) return await reader.text()
    await reader.skipTexts(1)
    return undefined
  }
  if (type !== listType) {
    const bytes = await reader.take(widthOf(type))
    return isKept ? integers(bytes, type) : undefined
  }
  const itemType = (await reader.take(4)).readUInt32LE()
  const items = await reader.count()
  if (items > headerItemsMax)
    throw new GgufError('it is damaged: it announces a list that is too long')
  if (itemType === textType) {
    await reader.skipTexts(items)
    return undefined
  }
  const bytes = items * widthOf(itemType)
  if (isKept && items <= keptNumbersMax) return integers(await reader.take(bytes), itemType)
  await reader.skip(bytes)
  return undefined
}

function widthOf(type: number): number {
  const width = bytesOfNumbers[type]
  if (width === undefined) throw new GgufError('it is damaged: it has a value of an unknown type')
  return width
}

function integers(bytes: Buffer, type: number): number[] | undefined {
  const width = widthOf(type)
  const isSigned = type === 1 || type === 3 || type === 5 || type === 11
  const isInteger = isSigned || type === 0 || type === 2 || type === 4 || type === 10
  if (!isInteger) return undefined
  return Array.from({ length: bytes.length / width }, (_, index) => {
    const at = index * width
    if (width === 8) return Number(isSigned ? bytes.readBigInt64LE(at) : bytes.readBigUInt64LE(at))
    return isSigned ? bytes.readIntLE(at, width) : bytes.readUIntLE(at, width)
  })
}

/** Reads a file forward through one buffer. */
class ByteReader {
  readonly #file: FileHandle
  #buffer = Buffer.alloc(0)
  /** Offset of the buffer in the file, and of the next byte in the buffer. */
  #start = 0
  #next = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async take(length: number): Promise<Buffer> {
    if (this.#next + length > this.#buffer.length) await this.#fill(length)
    this.#next += length
    return this.#buffer.subarray(this.#next - length, this.#next)
  }

  async count(): Promise<number> {
    return countIn(await this.take(8), 0)
  }

  /** Reads a text and returns its first `keptTextBytesMax` bytes. Throws if it has more than `bytesMax` bytes. */
  async text(bytesMax = headerBytesMax): Promise<string> {
    const length = await this.count()
    if (length > bytesMax) throw new GgufError('it is damaged: it has a name that is too long')
    const kept = (await this.take(Math.min(length, keptTextBytesMax))).toString('utf8')
    await this.skip(length - Math.min(length, keptTextBytesMax))
    return kept
  }

  /** Skips texts. Waits only for the file, because a list may have millions of empty texts. */
  async skipTexts(items: number): Promise<void> {
    let left = items
    while (left > 0) {
      if (this.#next + 8 > this.#buffer.length) await this.#fill(8)
      for (; left > 0 && this.#next + 8 <= this.#buffer.length; left--)
        this.#next += 8 + countIn(this.#buffer, this.#next)
    }
    await this.skip(0)
  }

  async skip(length: number): Promise<void> {
    this.#next += length
    if (this.#start + this.#next > headerBytesMax) throw new GgufError('its header is too long')
    if (this.#next > this.#buffer.length) await this.#fill(0)
  }

  /** Reads on in the file, at most 1 MiB at a time, which lets other work of the process go on in between. */
  async #fill(length: number): Promise<void> {
    const start = this.#start + this.#next
    if (start + length > headerBytesMax) throw new GgufError('its header is too long')
    const buffer = Buffer.alloc(Math.max(length, 1024 * 1024))
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, start)
    if (bytesRead < length || (bytesRead === 0 && (await this.#file.stat()).size < start))
      throw new EndOfFile()
    this.#buffer = buffer.subarray(0, bytesRead)
    this.#start = start
    this.#next = 0
  }
}

function countIn(buffer: Buffer, at: number): number {
  const low = buffer.readUInt32LE(at)
  if (buffer.readUInt32LE(at + 4) > 0 || low > headerBytesMax)
    throw new GgufError('it is damaged: it announces too much')
  return low
}
