import { messagesMax, newMessage, type Conversation, type Message } from './conversation.ts'
import { parseJsonObject } from './json-text.ts'
import { startReply, type Choice, type Reply } from './reply.ts'
import { defaultSettings, namedFaults, type NumberSetting, type Settings } from './settings.ts'
import type { ToolCall } from './tools/tool-calls.ts'

/** The state of the playground: what was typed and the replies. */
export type Draft = Conversation &
  Readonly<{
    /** The text of the composer. */
    input: string
    /** One set of settings, or two to compare. */
    columns: readonly Settings[]
    /** One reply per column, or none. */
    replies: readonly Reply[]
    /** The reply that the conversation continues with. */
    chosen: ReplyPlace
    /** A reply kept to be compared with the next ones, for example those of another model. */
    kept: KeptReply | undefined
    /** Id of the conversation in the history that the next reply replaces. A reload forgets it. */
    historyId: string | undefined
  }>
export const columnNames = ['A', 'B'] as const
export type ReplyPlace = Readonly<{ column: number; choice: number }>

/** `model` is the name of the model that gave the reply, if that is known. */
export type KeptReply = Readonly<{ reply: Reply; model: string | undefined }>

export const emptyDraft: Draft = {
  system: '',
  messages: [],
  input: '',
  columns: [defaultSettings],
  replies: [],
  chosen: { column: 0, choice: 0 },
  kept: undefined,
  historyId: undefined,
}

/** Returns the messages of the next request: the conversation, the chosen reply and the composer's text. */
export function nextMessages(draft: Draft): readonly Message[] {
  const { messages, input } = draft
  if (input.trim() === '') return messages
  return [...withReply(draft), newMessage('user', input)]
}

/** Returns the messages followed by the chosen reply. */
function withReply(draft: Draft): readonly Message[] {
  const { text = '' } = chosenChoice(draft) ?? {}
  const toolCalls = calledTools(draft)
  if (text === '' && toolCalls.length === 0) return draft.messages
  const message = newMessage('assistant', text)
  return [...draft.messages, toolCalls.length === 0 ? message : { ...message, toolCalls }]
}

/** Returns the choice that the conversation continues with. */
function chosenChoice({ replies, chosen }: Draft): Choice | undefined {
  return replies[chosen.column]?.choices[chosen.choice]
}

/** Returns the tool calls of the chosen reply, without one that was cut: the service would refuse it in a request. */
function calledTools(draft: Draft): readonly ToolCall[] {
  const calls = chosenChoice(draft)?.toolCalls ?? []
  return calls.filter(({ args }) => args.trim() === '' || 'value' in parseJsonObject(args))
}

/** Returns the tool calls at the end of the conversation, whose results it needs to go on. */
export function openCalls(draft: Draft): readonly ToolCall[] {
  if (draft.replies.length > 0) return calledTools(draft)
  return draft.messages.at(-1)?.toolCalls ?? []
}

/** Returns the reason why the conversation cannot be sent, or undefined. */
export function conversationError({ messages }: Conversation): string | undefined {
  if (messages.length === 0) return 'Enter a message.'
  if (messages.length > messagesMax)
    return `A conversation can have at most ${messagesMax} messages. Remove some.`
  return undefined
}

/** Returns the reason why the composer's text cannot be sent: a blank one would only replace the replies. */
export function inputError({ input, replies }: Draft): string | undefined {
  if (input.trim() !== '' || replies.length === 0) return undefined
  return 'Enter a message, or choose Regenerate.'
}

/** The faults of one set of settings. `task` names the set while two are compared. */
type SettingsError = { task: string; faults: readonly string[] }

/** Returns the faults of the first set of settings that cannot be sent, or undefined. */
export function settingsError(
  draft: Draft,
  numbers: readonly NumberSetting[],
): SettingsError | undefined {
  return draft.columns
    .map((_, column) => columnError(draft, column, numbers))
    .find((error) => error !== undefined)
}

/** Returns the faults of the settings in one column, or undefined. */
export function columnError(
  { columns }: Draft,
  column: number,
  numbers: readonly NumberSetting[],
): SettingsError | undefined {
  const faults = namedFaults(columns[column] ?? defaultSettings, numbers)
  if (faults.length === 0) return undefined
  const task = columns.length > 1 ? `Fix settings ${columnNames[column]}:` : 'Fix these settings:'
  return { task, faults }
}

/** Returns the chosen reply; undefined without a reply. */
export function chosenReply({ replies, chosen }: Draft): Reply | undefined {
  return replies[chosen.column]
}

export function isRunning({ replies }: Draft): boolean {
  return replies.some(({ outcome }) => outcome.state === 'running')
}

/** Moves the chosen reply and the composer's text into the conversation. The first message begins a new one. */
export function commitInput(draft: Draft): Draft {
  const historyId = draft.messages.length === 0 ? undefined : draft.historyId
  return { ...draft, messages: nextMessages(draft), input: '', historyId }
}

/** Moves the chosen reply, if there is one, into the conversation, and adds the results of the tools that it calls. */
export function commitToolResults(draft: Draft, results: readonly string[]): Draft {
  const messages = openCalls(draft).map(({ id }, index) => ({
    ...newMessage('tool', results[index] ?? ''),
    toolCallId: id,
  }))
  return { ...draft, messages: [...withReply(draft), ...messages] }
}

/** Replaces the replies by an empty, running one in each column. */
export function startReplies(draft: Draft): Draft {
  return { ...draft, replies: draft.columns.map(startReply), chosen: emptyDraft.chosen }
}

/** Moves the chosen reply into the conversation, where it can be edited. */
export function commitReply(draft: Draft): Draft {
  return { ...draft, messages: withReply(draft), replies: [], chosen: emptyDraft.chosen }
}
