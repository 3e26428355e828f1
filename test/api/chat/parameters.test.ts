import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChatParameter, chatParameters } from '../../../src/chat-parameters.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** Sends the parameters to the token preview, which checks a request as a completion does. */
async function check(parameters: object): Promise<{ status: number; code: string | undefined }> {
  const path = '/v1/chat/completions/input_tokens'
  const response = await service.post({ ...question, ...parameters }, { path })
  const { error } = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: error?.code }
}
const accepted = { status: 200, code: undefined }
const refused = (code: string) => ({ status: 400, code })

const rows = Object.entries<ChatParameter>(chatParameters)
/** Parameters that are valid only together with another one, which is the value here. */
const needed: Readonly<Record<string, object>> = { top_logprobs: { logprobs: true } }
/** Functions that make an element of a list, by the name of the list parameter. */
const elements: Readonly<Record<string, (index: number) => unknown>> = {
  messages: () => question.messages[0],
  stop: String,
  stop_token_ids: Number,
  guided_choice: String,
  tools: (index) => ({ type: 'function', function: { name: `f${index}` } }),
}

describe('the bounds of the table are those that a request meets', () => {
  for (const [name, { type, minimum, maximum, default: byDefault }] of rows) {
    if (minimum === undefined || maximum === undefined) continue
    const kind = type === 'integer' ? 'integer' : 'decimal'
    test(`\`${name}\` from ${minimum} to ${maximum}`, async () => {
      const send = (value: number) => check({ ...needed[name], [name]: value })
      if (typeof byDefault === 'number') expect(await send(byDefault)).toEqual(accepted)
      expect(await send(minimum)).toEqual(accepted)
      expect(await send(maximum)).toEqual(accepted)
      expect(await send(minimum - 1)).toEqual(refused(`${kind}_below_min_value`))
      expect(await send(maximum + 1)).toEqual(refused(`${kind}_above_max_value`))
    })
  }

  for (const [name, { maxLength, items }] of rows) {
    if (maxLength === undefined) continue
    test(`\`${name}\` has at most ${maxLength} characters`, async () => {
      const tooLong = refused('string_above_max_length')
      expect(await check({ [name]: 'a'.repeat(maxLength + 1) })).toEqual(tooLong)
      expect(await check({ [name]: 'a'.repeat(maxLength) })).not.toEqual(tooLong)
      if (items !== undefined)
        expect(await check({ [name]: ['a'.repeat(maxLength + 1)] })).toEqual(tooLong)
    })
  }

  for (const [name, { maxItems, maxProperties }] of rows) {
    const max = maxItems ?? maxProperties
    if (max === undefined) continue
    test(`\`${name}\` has at most ${max} elements`, async () => {
      const tooMany = refused('array_above_max_length')
      const element = elements[name]
      const filled = (count: number) =>
        element === undefined
          ? Object.fromEntries(Array.from({ length: count }, (_, index) => [index, '1']))
          : Array.from({ length: count }, (_, index) => element(index))
      expect(await check({ [name]: filled(max + 1) })).toEqual(tooMany)
      expect(await check({ [name]: filled(max) })).not.toEqual(tooMany)
    })
  }
})
