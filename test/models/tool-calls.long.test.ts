import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { templateNames } from '../support/models/release-files.ts'
import { ask, startFamily, tools } from './tool-calls.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const isBooking = new Ajv2020().compile(JSON.parse(tools[0]?.parameters ?? ''))

test.each(templateNames())('%s: a required call is a call with valid arguments', async (name) => {
  const engine = await startFamily(folder.path, name)
  try {
    const format = { type: 'tools', tools, choice: { name: 'book' }, areParallel: false } as const
    const { text, calls, isWhole } = await ask(engine, format, 1)
    expect([text, isWhole]).toEqual(['', true])
    for (const call of calls) {
      expect([call.name, isBooking(JSON.parse(call.arguments))]).toEqual(['book', true])
    }
  } finally {
    await engine.close()
  }
})
