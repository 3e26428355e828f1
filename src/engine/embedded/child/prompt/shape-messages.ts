import { createHash } from 'node:crypto'
import type { ChatMessage } from '../../../engine.ts'
import { parseJson } from '../jinja/values/parse-json.ts'
import type { TemplateAbilities } from './template-abilities.ts'

/** A message in the form that the template understands. */
export type ShapedMessage = ChatMessage & {
  /** Results that the template reads beside the calls. */
  readonly toolResponses?: readonly { readonly name: string; readonly response: unknown }[]
}

/** The forms of messages that a template needs: its abilities, found by probes, and needs found in its source. */
export type MessageShape = TemplateAbilities & {
  /** Reads the results of calls as a field of the message with the calls. */
  readonly needsToolResponses: boolean
  /** Needs calls that are numbered, in each message or through the conversation. */
  readonly numbersCalls: 'inMessage' | 'inConversation' | undefined
  /** Needs contents without white space at their ends, because the model was trained that way. */
  readonly needsTrimmed: boolean
}

/** Adds to a template's abilities the needs that are found in its source. */
export function shapeOf(source: string, abilities: TemplateAbilities): MessageShape {
  return {
    ...abilities,
    needsToolResponses:
      source.includes('tool_responses') && !/tool_call_id|'tool'\s*[\]%:]/.test(source),
    numbersCalls: numberingOf(source),
    // White space at the end leads StepFun's models into endless thoughts (llama.cpp #24181).
    needsTrimmed: source.includes(
      'You have access to the following functions in JSONSchema format',
    ),
  }
}

/** Kimi K2 writes `functions.NAME:NUMBER` as the id of a call, from which its templates take the name. */
function numberingOf(source: string): MessageShape['numbersCalls'] {
  if (!source.includes('<|tool_call_argument_begin|>')) return undefined
  return source.includes('loop.index0') ? 'inMessage' : 'inConversation'
}

/** Changes the messages so that the template accepts them and writes all of them. */
export function shapeMessages(
  messages: readonly ChatMessage[],
  shape: MessageShape,
): readonly ShapedMessage[] {
  let shaped: readonly ShapedMessage[] = messages
  if (!shape.hasSystem || !shape.hasLaterSystem) shaped = withoutSystem(shaped, shape)
  if (shape.hidesSystemAfterCalls) shaped = withShownSystem(shaped)
  if (shape.textOfCalls !== 'same')
    shaped = shaped.flatMap((message) => withoutText(message, shape.textOfCalls === 'own'))
  if (!shape.hasParallelCalls) shaped = withSingleCalls(shaped)
  if (!shape.hasEmptyReplies) shaped = shaped.filter((message) => !isEmptyReply(message))
  if (!shape.hasRepeats) shaped = withoutRepeats(shaped)
  if (shape.needsShortIds) shaped = shaped.map(withShortIds)
  if (shape.numbersCalls !== undefined) shaped = withNumberedIds(shaped, shape.numbersCalls)
  if (shape.needsToolResponses) shaped = withToolResponses(shaped)
  if (shape.needsTrimmed)
    shaped = shaped.map((message) => ({ ...message, content: message.content.trim() }))
  return shaped
}

/**
 * Joins system messages with the user's next message, or with the last one if no message of the user may follow. A system
 * message at the start stays if the template writes it.
 */
function withoutSystem(
  messages: readonly ShapedMessage[],
  { hasSystem, hasUserAfterResults }: MessageShape,
): readonly ShapedMessage[] {
  if (!messages.some(({ role }) => role === 'user')) return messages
  const shaped: ShapedMessage[] = []
  let waiting: string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system' && !(index === 0 && hasSystem)) {
      // A message without text would only add a line break.
      if (message.content !== '') waiting.push(message.content)
    } else if (message.role === 'user') {
      shaped.push({ ...message, content: [...waiting, message.content].join('\n') })
      waiting = []
    } else shaped.push(message)
  }
  if (waiting.length === 0) return shaped
  const isAfterResult = shaped.at(-1)?.role === 'tool'
  const last = shaped.findLast(({ role }) => role === 'user')
  if (last === undefined || !isAfterResult || hasUserAfterResults)
    return [...shaped, { role: 'user', content: waiting.join('\n') }]
  const joinedLast = { ...last, content: [last.content, ...waiting].join('\n') }
  return shaped.map((message) => (message === last ? joinedLast : message))
}

/**
 * Joins a system message at the start with the user's last message if others follow that one. This is the form in which
 * Mistral Nemo was trained.
 */
function withShownSystem(messages: readonly ShapedMessage[]): readonly ShapedMessage[] {
  const [first, ...rest] = messages
  const last = rest.findLastIndex(({ role }) => role === 'user')
  if (first?.role !== 'system' || last === -1 || last === rest.length - 1) return messages
  const withSystem = (message: ShapedMessage): ShapedMessage => ({
    ...message,
    content: `${first.content}\n\n${message.content}`,
  })
  return rest.map((message, index) => (index === last ? withSystem(message) : message))
}

/** Takes the text of a message with calls away. With `keepsText`, it comes before the calls, in a message of its own. */
function withoutText(message: ShapedMessage, keepsText: boolean): readonly ShapedMessage[] {
  const { toolCalls, ...before } = message
  if (toolCalls === undefined || message.content === '') return [message]
  if (!keepsText) return [{ ...message, content: '' }]
  return [before, { role: message.role, content: '', toolCalls }]
}

/** Puts each of several calls in a message of its own, with its result after it. */
function withSingleCalls(messages: readonly ShapedMessage[]): ShapedMessage[] {
  const shaped: ShapedMessage[] = []
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    if (message === undefined) break
    const { toolCalls = [] } = message
    if (toolCalls.length < 2) {
      shaped.push(message)
      continue
    }
    const results: ShapedMessage[] = []
    for (let next = messages[index + 1]; next?.role === 'tool'; next = messages[index + 1]) {
      results.push(next)
      index += 1
    }
    // The text and the thought come before the first call.
    const { role } = message
    for (const [place, call] of toolCalls.entries()) {
      const own = results.filter(({ toolCallId }) => toolCallId === call.id)
      const before = place === 0 ? message : { role, content: '' }
      shaped.push({ ...before, toolCalls: [call] }, ...own)
    }
    shaped.push(
      ...results.filter(({ toolCallId }) => !toolCalls.some(({ id }) => id === toolCallId)),
    )
  }
  return shaped
}

/** Returns true for a reply that was cut before its first text. */
function isEmptyReply(message: ShapedMessage): boolean {
  return isReply(message) && isPlain(message) && message.content === ''
}

/** Joins consecutive messages of the user, and consecutive messages of the assistant without calls. */
function withoutRepeats(messages: readonly ShapedMessage[]): ShapedMessage[] {
  const shaped: ShapedMessage[] = []
  for (const message of messages) {
    const last = shaped.at(-1)
    const isRepeat = last?.role === message.role && (message.role === 'user' || isReply(message))
    if (last !== undefined && isRepeat && isPlain(last) && isPlain(message))
      shaped.splice(-1, 1, joined(last, message))
    else shaped.push(message)
  }
  return shaped
}

function joined(first: ShapedMessage, second: ShapedMessage): ShapedMessage {
  const thoughts = [first.reasoning, second.reasoning].filter((text) => text !== undefined)
  return {
    ...first,
    content: `${first.content}\n${second.content}`,
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n') }),
  }
}

function isReply({ role }: ShapedMessage): boolean {
  return role === 'assistant'
}

function isPlain({ toolCalls, toolCallId }: ShapedMessage): boolean {
  return toolCalls === undefined && toolCallId === undefined
}

function withShortIds(message: ShapedMessage): ShapedMessage {
  const { toolCalls, toolCallId } = message
  return {
    ...message,
    ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, id: shortId(call.id) })) }),
    ...(toolCallId !== undefined && { toolCallId: shortId(toolCallId) }),
  }
}

/** Returns an id of nine letters and digits, always the same one for the same `id`. */
function shortId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

/** Gives calls the ids `functions.NAME:NUMBER`, and their results the same. */
function withNumberedIds(
  messages: readonly ShapedMessage[],
  numbers: 'inMessage' | 'inConversation',
): ShapedMessage[] {
  const ids = new Map<string, string>()
  let calls = 0
  return messages.map((message) => {
    const { toolCalls, toolCallId } = message
    if (numbers === 'inMessage') calls = 0
    const numbered = toolCalls?.map((call) => {
      const id = `functions.${call.name}:${calls}`
      ids.set(call.id, id)
      calls += 1
      return { ...call, id }
    })
    return {
      ...message,
      ...(numbered && { toolCalls: numbered }),
      ...(toolCallId !== undefined && { toolCallId: ids.get(toolCallId) ?? toolCallId }),
    }
  })
}

/** Joins calls, their results and the reply after them in one message, as in the training data of Gemma 4. */
function withToolResponses(messages: readonly ShapedMessage[]): ShapedMessage[] {
  const shaped: ShapedMessage[] = []
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    if (message === undefined) break
    const { toolCalls } = message
    if (toolCalls === undefined) {
      shaped.push(message)
      continue
    }
    const count = answerLength(messages, index + 1)
    const answer = messages.slice(index + 1, index + 1 + count)
    index += count
    const results = answer.filter(({ role }) => role === 'tool')
    const toolResponses = results.map(({ toolCallId = '', content }) => {
      const call = toolCalls.find(({ id }) => id === toolCallId)
      return { name: call?.name ?? toolCallId, response: parsedOrText(content) }
    })
    const between = answer.filter(({ role }) => role !== 'tool')
    const next = between.length > 0 ? undefined : messages[index + 1]
    const isSameTurn = next !== undefined && isReply(next) && isPlain(next) && !next.reasoning
    if (isSameTurn) index += 1
    // The template writes the content after the results, so a text before the calls is a message of its own.
    const { toolCalls: _calls, ...before } = message
    const hasText = message.content !== ''
    if (hasText) shaped.push(before)
    shaped.push({
      ...(hasText ? { role: message.role, toolCalls } : message),
      content: isSameTurn ? next.content : '',
      toolResponses,
    })
    shaped.push(...between)
  }
  return shaped
}

/** Counts the messages from `begin` to the last result of the calls before it. System messages may stand between. */
function answerLength(messages: readonly ShapedMessage[], begin: number): number {
  const rest = messages.slice(begin)
  const end = rest.findIndex(({ role }) => role !== 'tool' && role !== 'system')
  const answer = end === -1 ? rest : rest.slice(0, end)
  return answer.findLastIndex(({ role }) => role === 'tool') + 1
}

function parsedOrText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
