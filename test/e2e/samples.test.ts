import { afterAll, beforeAll, expect, test } from 'vitest'
import { samples, typicalUses } from '../../panel/src/samples.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    environment: { PIPIT_ENGINE: 'embedded', PIPIT_CONTEXT_TOKENS: '1024' },
  })
})
afterAll(() => service.close())

const answers: Readonly<Record<string, RegExp>> = {
  newKey: /\bParis\b/,
  quickStart: /svc-o1-mini|language model|assistant/,
  Answer: /\bTokyo\b/,
  Summarise: /bakery .*close/,
  Classify: /^positive\.?$/i,
  Extract: /^\{\s*"name":\s*"Maria",\s*"day":\s*"Tuesday"\s*\}$/,
  Write: /picnic on Saturday/,
}
type Asked = { name: string; content: string; schema?: string; temperature?: number }
const asked: readonly Asked[] = [
  ...Object.entries(samples).map(([name, content]) => ({ name, content })),
  ...typicalUses.map(({ label, ...use }) => ({ name: label, ...use })),
]
const settings = [{ temperature: 0 }, ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed) => ({ seed }))]

test.each(asked)(
  'the bundled model answers the sample $name: $content',
  async ({ name, content, schema, temperature }) => {
    const format = schema === undefined ? {} : asResponseFormat(schema)
    const replies = []
    for (const one of settings) {
      const messages = [{ role: 'user', content }]
      const response = await service.post({
        model: 'svc-o1-mini',
        messages,
        ...format,
        ...one,
        ...(temperature !== undefined && { temperature }),
      })
      const { choices } = (await response.json()) as {
        choices: { message: { content: string }; finish_reason: string }[]
      }
      replies.push(choices[0])
    }
    for (const reply of replies)
      expect(reply).toMatchObject({
        message: { content: expect.stringMatching(answers[name] ?? /^$/) },
        finish_reason: 'stop',
      })
  },
)

function asResponseFormat(schema: string) {
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'reply', schema: JSON.parse(schema) as object },
    },
  }
}
