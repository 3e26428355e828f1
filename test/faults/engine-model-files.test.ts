import { mkdirSync, writeFileSync } from 'node:fs'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { EmbeddedSettings } from '../../src/engine/engine-settings.ts'
import { startEngine, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { chatMlTemplate } from '../support/gguf/llama-model.ts'
import { randomGguf } from '../support/gguf/random-gguf.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const sound = randomGguf()
let written = 0

function write(bytes: Buffer | string): string {
  const path = join(folder.path, `model-${++written}.gguf`)
  writeFileSync(path, bytes)
  return path
}

/** Starts an engine and returns its start error. If the engine starts, closes it and returns undefined. */
async function refusal(
  modelPath: string,
  settings: Partial<EmbeddedSettings> = {},
): Promise<string | undefined> {
  try {
    const engine = await startEngine({ modelPath, slots: 2, ...settings })
    await engine.close()
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ name: 'StartError' })
    return error instanceof Error ? error.message : undefined
  }
}

/** Expects one sentence that names the file. */
function expectSentence(message: string | undefined, path: string): void {
  expect(message).toMatch(/^[^\n]{20,900}\.$/)
  expect(message).toContain(path)
}

function enginesAlive(): number {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return (
        Number(parent) === process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('child/main')
      )
    } catch {
      return false
    }
  }).length
}

describe('a model file that cannot be used is refused in one sentence (T23)', () => {
  const corpus: [name: string, path: () => string, cause: RegExp][] = [
    ['missing', () => join(folder.path, 'nowhere.gguf'), /does not exist/],
    [
      'a directory',
      () => (mkdirSync(join(folder.path, 'd.gguf')), join(folder.path, 'd.gguf')),
      /directory/,
    ],
    ['empty', () => write(''), /empty/],
    ['a text', () => write('This is not a model at all.'), /not a GGUF/],
    ['a picture', () => write(Buffer.concat([Buffer.from([0x89, 0x50]), sound])), /not a GGUF/],
    ['four bytes', () => write('GGUF'), /truncated/],
    ['another version', () => write(edit(4, 99)), /version 99/],
    ['huge counts', () => write(edit(16, 0x7fffffff)), /announces more/],
    [
      'a broken template',
      () => write(randomGguf({ chatTemplate: '{% for m in %}' })),
      /chat template/,
    ],
    [
      'a template without an end',
      () =>
        write(
          randomGguf({
            chatTemplate:
              '{% for a in range(30000) %}{% for b in range(30000) %}{% endfor %}{% endfor %}',
          }),
        ),
      /chat template.*too long/,
    ],
    ['another architecture', () => write(randomGguf({ architecture: 'unheard' })), /unheard/],
    [
      'no heads',
      () => write(randomGguf({ metadata: { 'llama.attention.head_count': 0 } })),
      /cannot be used/,
    ],
    ['weights that are no numbers', () => write(damagedWeights()), /cannot be used/],
  ]
  test.each(corpus)('%s', async (_, makePath, cause) => {
    const path = makePath()
    const message = await refusal(path)
    expectSentence(message, path)
    expect(message).toMatch(cause)
    expect(enginesAlive()).toBe(0)
  })

  test('truncated at any place', async () => {
    for (const share of [0.001, 0.02, 0.1, 0.3, 0.6, 0.9, 0.999]) {
      const path = write(sound.subarray(0, Math.floor(sound.length * share)))
      expectSentence(await refusal(path), path)
    }
  })

  test('with another checksum than the pinned one', async () => {
    const path = write(sound)
    const message = await refusal(path, { modelSha256: '0'.repeat(64) })
    expectSentence(message, path)
    expect(message).toMatch(/SHA-256/)
  })

  test('with a larger context than it was trained for', async () => {
    const path = write(sound)
    const message = await refusal(path, { contextTokens: 1024 })
    expectSentence(message, path)
    expect(message).toMatch(/at most 512 tokens.*1024/)
  })
})

test('a file with flipped bits in its header starts or is refused, and leaves no process behind (T23)', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const path = write(flipped(sound, seed))
    const message = await refusal(path)
    if (message !== undefined) expectSentence(message, path)
  }
  expect(enginesAlive()).toBe(0)
})

test('a sound file with the pinned checksum starts and reports its context', async () => {
  const { createHash } = await import('node:crypto')
  const modelSha256 = createHash('sha256').update(sound).digest('hex')
  const engine = await startEngine({ modelPath: write(sound), modelSha256, slots: 1 })
  expect(engine.info).toMatchObject({ contextTokens: 512, slots: 1 })
  expect(engine.info.fingerprint).toMatch(/^fp_[0-9a-f]{12}$/)
  await engine.close()
})

test('the fingerprint changes with the chat template', async () => {
  const fingerprints: string[] = []
  for (const chatTemplate of [chatMlTemplate, `${chatMlTemplate} `]) {
    const modelPath = write(randomGguf({ chatTemplate }))
    const engine = await startEngine({ modelPath, slots: 1 })
    fingerprints.push(engine.info.fingerprint)
    await engine.close()
  }
  expect(fingerprints[0]).not.toBe(fingerprints[1])
})

function edit(offset: number, value: number): Buffer {
  const copy = Buffer.from(sound)
  copy.writeUInt32LE(value, offset)
  return copy
}

/** Turns every block scale of the last tensors into NaN. */
function damagedWeights(): Buffer {
  const copy = Buffer.from(sound)
  copy.fill(0xff, Math.floor(copy.length * 0.4))
  return copy
}

function flipped(bytes: Buffer, seed: number): Buffer {
  const copy = Buffer.from(bytes)
  let state = seed
  for (let flips = 0; flips < 4; flips++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const offset = (state >>> 8) % 4000
    copy[offset] = (copy[offset] ?? 0) ^ (1 << (state & 7))
  }
  return copy
}
