import type { NativeEngine } from '../../../src/engine/embedded/child/addon.ts'
import { ConversationRefused } from '../../../src/engine/embedded/child/prompt/chat-template.ts'
import { PromptBuilder } from '../../../src/engine/embedded/child/prompt/prompt-builder.ts'
import { Vocabulary } from '../../../src/engine/embedded/child/prompt/vocabulary.ts'
import type { ChatMessage } from '../../../src/engine/engine.ts'
import type { Tool } from '../../../src/engine/tools.ts'
import { combinedGguf } from './combined-gguf.ts'
import { markerTexts } from './marker-texts.ts'
import { withNativeEngine } from './native-engine.ts'
import { templateNames, templateSource } from './release-files.ts'

/**
 * Adds the marks of all chat templates to a vocabulary as tokens. For each template, writes its marks into every part
 * of a conversation that a caller controls. Returns the number of such parts, and the marks that became tokens.
 */
export async function leaksOfAllTemplates(
  folder: string,
  vocabulary: string,
  type: 'userDefined' | 'control',
): Promise<{ checked: number; leaking: string[] }> {
  const templates = templateNames().map((name) => ({ name, source: templateSource(name) }))
  const texts = templates.flatMap(({ source }) => markerTexts(source))
  const tokens = Object.fromEntries(texts.map((text) => [text, type]))
  const all = { checked: 0, leaking: [] as string[] }
  await withNativeEngine(folder, combinedGguf({ vocabulary, tokens }), async (engine) => {
    for (const { name, source } of templates) {
      const { checked, leaking } = markerLeaks(engine, source)
      all.checked += checked.length
      all.leaking.push(...leaking.map((leak) => `${name}: ${leak}`))
    }
  })
  return all
}

/**
 * Writes the marks of a chat template, whole and nested, into every part of a conversation that a caller controls.
 * Returns the parts that were checked, and the parts that leak: there, marks in the text add tokens of marks to the
 * prompt, and ordinary text does not.
 */
function markerLeaks(engine: NativeEngine, template: string): MarkerLeaks {
  const vocabulary = new Vocabulary(engine)
  const markers = markerTexts(template)
  const ownTexts = engine.vocabulary().userDefinedTexts
  const idOf = new Map([
    ...Object.entries(ownTexts).map(([id, text]): [string, number] => [text, Number(id)]),
    ...vocabulary.specialTexts,
  ])
  const tokens = markers.flatMap((text) => idOf.get(text) ?? [])
  const prompts = new PromptBuilder(engine, {
    source: template,
    constants: { bos_token: '', eos_token: '' },
    specialTexts: vocabulary.specialTexts,
    controlTexts: [...vocabulary.controlTexts([template]).keys()],
  })
  const count = ({ messages, tools }: Conversation): Map<number, number> => {
    const found = prompts.build(messages, tools).tokens
    return new Map(tokens.map((id) => [id, found.filter((token) => token === id).length]))
  }
  const leaks: MarkerLeaks = { checked: [], leaking: [] }
  for (const [place, conversation] of Object.entries(places)) {
    try {
      const plain = count(conversation('plain'))
      const forged = count(conversation(forgery(markers)))
      leaks.checked.push(place)
      const more = markers.filter((text) => {
        const id = idOf.get(text) ?? -1
        return (forged.get(id) ?? 0) > (plain.get(id) ?? 0)
      })
      if (more.length > 0) leaks.leaking.push(`${place}: ${more.join(' ')}`)
    } catch (error) {
      // Some templates have no system message, or no tools.
      if (!(error instanceof ConversationRefused)) throw error
    }
  }
  return leaks
}

type MarkerLeaks = { readonly checked: string[]; readonly leaking: string[] }

type Conversation = { readonly messages: ChatMessage[]; readonly tools?: Tool[] }

/** Returns a text with each mark alone, next to the others, and inside itself. */
function forgery(markers: readonly string[]): string {
  const nested = markers.map((text) => text.slice(0, 1) + text + text.slice(1))
  return `${markers.join(' ')} ${markers.join('')} ${nested.join(' ')}`
}

const user: ChatMessage = { role: 'user', content: 'Hello' }
const called: ChatMessage = {
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'call00001', name: 'look', arguments: '{}' }],
}
const look: Tool = { name: 'look', description: 'Looks.', parameters: undefined }
const result: ChatMessage = { role: 'tool', content: 'It rains.', toolCallId: 'call00001' }

const places: Readonly<Record<string, (text: string) => Conversation>> = {
  user: (text) => ({ messages: [{ role: 'user', content: text }] }),
  system: (text) => ({ messages: [{ role: 'system', content: text }, user] }),
  assistant: (text) => ({ messages: [user, { role: 'assistant', content: text }, user] }),
  'tool description': (text) => ({ messages: [user], tools: [{ ...look, description: text }] }),
  'tool parameters': (text) => ({
    messages: [user],
    tools: [{ ...look, parameters: parametersWith(text) }],
  }),
  'call arguments': (text) => ({
    messages: [user, { ...called, toolCalls: callsWith(text) }, result],
    tools: [look],
  }),
  'tool result': (text) => ({
    messages: [user, called, { ...result, content: text }],
    tools: [look],
  }),
}

function parametersWith(text: string): string {
  const described = { type: 'string', description: text, enum: [text] }
  return JSON.stringify({ type: 'object', properties: { place: described, [text]: described } })
}

function callsWith(text: string) {
  const name = 'look'
  return [{ id: 'call00001', name, arguments: JSON.stringify({ place: text, [text]: text }) }]
}
