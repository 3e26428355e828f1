import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { ask, startFamily, tools } from './tool-calls.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const isBooking = new Ajv2020().compile(JSON.parse(tools[0]?.parameters ?? ''))

test.each([
  ['mistralai-Mistral-Nemo-Instruct-2407', 'mistralList'],
  ['google-gemma-4-31B-it', 'gemma4'],
  ['LFM2.5-8B-A1B', 'lfm2'],
])('a required call of %s is one in its own form, special tokens included', async (name, form) => {
  const engine = await startFamily(folder.path, name)
  try {
    expect(engine.info.dialect.toolForm).toBe(form)
    for (const seed of [1, 2, 3]) {
      const choice = seed === 1 ? { name: 'book' } : 'required'
      const format = { type: 'tools', tools, choice, areParallel: seed === 3 } as const
      const { text, calls, isWhole } = await ask(engine, format, seed)
      expect([text, isWhole, calls.length > 0]).toEqual(['', true, true])
      for (const call of calls)
        if (call.name === 'book') expect(isBooking(JSON.parse(call.arguments))).toBe(true)
        else expect(call).toEqual({ name: 'stop_all', arguments: '{}' })
    }
  } finally {
    await engine.close()
  }
})
