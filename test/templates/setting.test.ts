import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeEngine } from '../../src/engine/describe-engine.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import type { EmbeddedSettings } from '../../src/engine/engine-settings.ts'
import { StartError } from '../../src/errors.ts'
import { say, startEngine, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { chatMlTemplate } from '../support/gguf/llama-model.ts'
import { randomGguf } from '../support/gguf/random-gguf.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

function write(name: string, content: string | Buffer): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

const shouting = '{% for m in messages %}{{ m.content | upper }}!{% endfor %}'
const withTemplate = write('with.gguf', randomGguf({ chatTemplate: chatMlTemplate }))
const without = write('without.gguf', randomGguf({ chatTemplate: undefined }))

type Started = { tokens: number[]; line: string; fingerprint: string }

async function started(
  settings: Pick<EmbeddedSettings, 'modelPath' | 'chatTemplatePath'>,
): Promise<Started> {
  const engine: EmbeddedEngine = await startEngine({ ...settings, slots: 1 })
  try {
    const { tokens } = await say(engine, 'Hello')
    const all: EmbeddedSettings = {
      ...settings,
      kind: 'embedded',
      modelSha256: undefined,
      slots: 1,
      contextTokens: undefined,
      kvType: 'f16',
      gpu: 'off',
      threads: 1,
      cachedTokens: undefined,
      speculativeTokens: 0,
      availableBytes: undefined,
      sandbox: true,
      arithmetic: undefined,
    }
    const line = describeEngine(all, engine.info)
    return { tokens: [...tokens], line, fingerprint: engine.info.fingerprint }
  } finally {
    await engine.close()
  }
}

test('a model without a chat template gets ChatML, and the start says so', async () => {
  const [own, chatMl] = [
    await started({ modelPath: withTemplate }),
    await started({ modelPath: without }),
  ]
  expect(chatMl.tokens).toEqual(own.tokens)
  expect(chatMl.line).toContain('without.gguf · no chat template in the file: ChatML is used · ')
  expect(own.line).not.toContain('template')
})

test('PIPIT_CHAT_TEMPLATE takes the place of the template of the model file', async () => {
  const chatTemplatePath = write('own.jinja', shouting)
  const [own, other] = [
    await started({ modelPath: withTemplate }),
    await started({ modelPath: withTemplate, chatTemplatePath }),
  ]
  expect(other.tokens).not.toEqual(own.tokens)
  expect(other.fingerprint).not.toBe(own.fingerprint)
  expect(other.line).toContain('with.gguf · chat template own.jinja · ')
})

describe('a start with a template that cannot be used names the file or the setting, and the cause', () => {
  const cases: [string, () => string, RegExp][] = [
    [
      'missing',
      () => join(folder.path, 'nowhere.jinja'),
      /nowhere\.jinja of PIPIT_CHAT_TEMPLATE.*it does not exist/,
    ],
    [
      'a folder',
      () => (mkdirSync(join(folder.path, 'd')), join(folder.path, 'd')),
      /it is not a file/,
    ],
    ['empty', () => write('empty.jinja', ' \n'), /it is empty/],
    ['not a text', () => write('binary.jinja', Buffer.from([0xff, 0xfe, 0x00])), /it is not UTF-8/],
    [
      'too large',
      () => write('large.jinja', 'a'.repeat(1024 * 1024 + 1)),
      /more than 1048576 bytes/,
    ],
    [
      'not a template',
      () => write('broken.jinja', '{% for m in %}'),
      /of PIPIT_CHAT_TEMPLATE does not work/,
    ],
  ]
  test.each(cases)('%s', async (_, path, cause) => {
    const start = startEngine({ modelPath: withTemplate, chatTemplatePath: path(), slots: 1 })
    const error: unknown = await start.then(
      async (engine) => await engine.close(),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toMatch(cause)
  })
})
