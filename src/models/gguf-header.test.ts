import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Metadata, ggufBytes } from '../../test/support/gguf/write-gguf.ts'
import { readGgufHeader } from './gguf-header.ts'

function write(metadata: Metadata): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-header-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.gguf')
  writeFileSync(path, ggufBytes(metadata, []))
  return path
}

const int32s = Array.from({ length: 4096 }, (_, index) => index)
const lists = (count: number, key: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), { int32s }]))

test('of a header full of lists and texts, only what is used is kept, and other work goes on', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`text ${index}`, 'x'.repeat(1000)]),
  )
  const path = write({
    'general.architecture': 'llama',
    ...texts,
    ...lists(300, (index) => `llama.list ${index}`),
    // A list of two million texts, all of them empty.
    'tokenizer.ggml.tokens': { encoded: Buffer.concat([listOfTexts, Buffer.alloc(8 * 2_000_000)]) },
    'llama.context_length': 4096,
    'llama.attention.head_count_kv': { int32s: [2, 0, 2] },
  })
  let turns = 0
  let isReading = true
  const others = (async () => {
    while (isReading) turns = (await setImmediate(turns)) + 1
  })()
  const header = await readGgufHeader(path)
  isReading = false
  await others
  expect(header).toEqual({
    architecture: 'llama',
    texts: new Map([['general.architecture', 'llama']]),
    numbers: { context_length: [4096], 'attention.head_count_kv': [2, 0, 2] },
    hasChatTemplate: false,
    fileType: undefined,
  })
  // One for each MiB, of about 21.
  expect(turns).toBeGreaterThan(20)
})

test('a header with too many numbers under keys that are used is refused', async () => {
  const path = write(lists(17, (index) => `model ${index}.context_length`))
  await expect(readGgufHeader(path)).rejects.toThrow('it has too many numbers')
})

test('the name and the licence of a header are cut, and have no control characters', async () => {
  const { texts } = await readGgufHeader(
    write({
      'general.name': `\u001B[2J${'n'.repeat(900)}`,
      'general.license': `mit\r\n${'l'.repeat(900)}`,
      'tokenizer.chat_template': 'a template',
    }),
  )
  expect(Object.fromEntries(texts)).toEqual({
    'general.name': `\uFFFD[2J${'n'.repeat(196)}`,
    'general.license': `mit\uFFFD\uFFFD${'l'.repeat(59)}`,
    'tokenizer.chat_template': '',
  })
})

/** The type of a list, the type of a text, and the number of the list's items. */
const listOfTexts = Buffer.alloc(16)
listOfTexts.writeUInt32LE(9)
listOfTexts.writeUInt32LE(8, 4)
listOfTexts.writeBigUInt64LE(2_000_000n, 8)
