import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  ChatTemplate,
  ConversationRefused,
} from '../../src/engine/embedded/child/prompt/chat-template.ts'
import { ForgeableTexts } from '../../src/engine/embedded/child/prompt/forgery-breaker.ts'
import { ownTemplates } from '../../tools/models/own-templates.ts'
import { familyTemplate } from '../../tools/models/template-facts.ts'
import { templateNames } from '../support/models/release-files.ts'
import { conversations, textAndCall } from './conversations.ts'
import { isDifferent } from './differences.ts'
import { promptDigest } from './prompt-digest.ts'

/** Digests of llama-server's prompts, written by `bench/peers/template-prompts.ts`. */
const expected: Record<string, readonly string[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-prompts.json'), 'utf8'),
)
const allNames = [...templateNames(), ...Object.keys(ownTemplates)]
const noTexts = new ForgeableTexts([], undefined)
/** Special tokens of the model that llama-server rendered with. */
const constants = { bos_token: '<|endoftext|>', eos_token: '<|im_end|>' }

function digestsOf(name: string): string[] {
  const template = new ChatTemplate(familyTemplate(name), constants, noTexts)
  const now = new Date()
  return conversations.map(({ messages, tools }) => {
    try {
      const parts = template.render(messages, tools)
      return promptDigest(parts.map(({ text }) => text).join(''), now)
    } catch (error) {
      if (error instanceof ConversationRefused) return 'refused'
      throw error
    }
  })
}

describe("prompts of 11 conversations equal llama-server's, but for named differences", () => {
  test('the data has every template of the release', () => {
    expect(Object.keys(expected).sort()).toEqual(templateNames())
    expect(templateNames()).toHaveLength(70)
  })

  test.each(templateNames())('%s', (name) => {
    const digests = digestsOf(name)
    const found = conversations.flatMap((conversation, index) =>
      digests[index] === expected[name]?.[index] ? [] : [conversation.name],
    )
    const named = conversations.filter((conversation) => isDifferent(name, conversation.name))
    expect(found).toEqual(named.map((conversation) => conversation.name))
  })
})

describe('no template refuses a conversation', () => {
  test.each(allNames)('%s', (name) => {
    const template = new ChatTemplate(familyTemplate(name), constants, noTexts)
    for (const { messages, tools } of conversations) {
      const text = template
        .render(messages, tools)
        .map((part) => part.text)
        .join('')
      for (const { role, content } of messages)
        if (role === 'user' || role === 'system') expect(text).toContain(content.trim())
    }
  })
})

describe('a text beside calls hides none of them, and does not follow their results', () => {
  test.each(allNames)('%s', (name) => {
    const template = new ChatTemplate(familyTemplate(name), constants, noTexts)
    const parts = template.render(textAndCall.messages, textAndCall.tools)
    const prompt = parts.map(({ text }) => text).join('')
    for (const value of ['Chur', '27', 'Basel', 'kelvin', 'Sunny', 'Rainy'])
      expect([value, prompt.includes(value)]).toEqual([value, true])
    expect(prompt.lastIndexOf('I look it up.')).toBeLessThan(prompt.lastIndexOf('Sunny'))
    // The model goes on in the turn of its call.
    if (name === 'google-gemma-4-31B-it') expect(prompt).toMatch(/<tool_response\|>$/)
  })
})
