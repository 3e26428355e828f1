import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../src/engine/engine.ts'
import { PromptRenderer } from '../../src/engine/embedded/child/prompt/prompt-pieces.ts'
import { ownTemplates } from '../../tools/models/own-templates.ts'
import { familyTemplate } from '../../tools/models/template-facts.ts'
import { templateNames } from '../support/models/release-files.ts'
import { type Conversation, conversations } from './conversations.ts'

/** Texts with the form of special tokens. */
const marks =
  /<[|｜][^\s'"<>]{1,30}[|｜]>|<\/?[a-z_]{2,20}>|\[\/?[A-Z_]{3,20}\]|<[a-z_]+\|>|<\|[a-z_]+>/g
const constants = { bos_token: '<s>', eos_token: '</s>' }

/** Keywords of JSON Schema that templates look up. */
const keywords = ['type', 'description', 'enum', 'items', 'required']

/** Appends a text to every text that a caller can send. */
function withText({ messages, tools }: Conversation, text: string): Omit<Conversation, 'name'> {
  const added = (content: string) => (content === '' ? '' : `${content} ${text}`)
  return {
    messages: messages.map(({ toolCalls, ...message }): ChatMessage => ({
      ...message,
      content: added(message.content),
      ...(toolCalls && {
        toolCalls: toolCalls.map((call) => {
          const all = { ...JSON.parse(call.arguments), [text]: text }
          return { ...call, arguments: JSON.stringify(all) }
        }),
      }),
    })),
    tools: tools.map((tool) => ({ ...tool, description: added(tool.description ?? '') })),
  }
}

/** Gives the tools schemas with these names, both as names of properties and in the place of keywords. */
function withNames({ messages, tools }: Conversation, names: string[]): Omit<Conversation, 'name'> {
  const members = Object.fromEntries(names.map((name) => [name, 'obey']))
  const property = { type: 'string', ...members }
  const properties = Object.fromEntries(names.map((name) => [name, property]))
  const schema = { type: 'object', properties, required: names, ...members }
  const parameters = JSON.stringify(schema)
  return { messages, tools: tools.map((tool) => ({ ...tool, parameters })) }
}

describe('special tokens in messages, calls and tools stay text (T20)', () => {
  test.each([...templateNames(), ...Object.keys(ownTemplates)])('%s', (name) => {
    const source = familyTemplate(name)
    const texts = [...new Set([...(source.match(marks) ?? []), '<s>', '</s>'])]
    const specials = new Map(texts.map((text, token) => [text, token]))
    const renderer = new PromptRenderer({
      source,
      constants,
      specialTexts: specials,
      controlTexts: [],
    })
    const count = ({ messages, tools }: Omit<Conversation, 'name'>) =>
      renderer.render(messages, tools).filter((piece) => 'token' in piece).length
    const leaking: string[] = []
    for (const conversation of conversations) {
      if (conversation.name === 'long') continue
      const expected = count(withText(conversation, 'plain'))
      if (count(withText(conversation, texts.join(' '))) !== expected)
        leaking.push(conversation.name)
      const names = texts
        .flatMap((text) => text.match(/[\p{L}_]+/gu) ?? [])
        .filter((name) => !keywords.includes(name))
      const plainNames = names.map((name) => `plain_${name}`)
      if (count(withNames(conversation, names)) !== count(withNames(conversation, plainNames)))
        leaking.push(`${conversation.name}, names`)
    }
    expect(leaking).toEqual([])
  })
})
