import { messagesMax, newMessage, type Conversation, type Message } from './conversation.ts'
import { newReply, type Choice, type Reply } from './reply.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** All that was typed and what came of it. */
export type Draft = Conversation &
  Readonly<{
    /** The message that is being written. */
    input: string
    /** One, or two to compare. */
    columns: readonly Settings[]
    /** One a column, or none. */
    replies: readonly Reply[]
    /** With which reply the conversation goes on. */
    chosen: ReplyPlace
  }>
export type ReplyPlace = Readonly<{ column: number; choice: number }>

export const emptyDraft: Draft = {
  system: '',
  messages: [],
  input: '',
  columns: [defaultSettings],
  replies: [],
  chosen: { column: 0, choice: 0 },
}

/** What would be sent now: the reply and the new message join the conversation with the next request. */
export function nextMessages(draft: Draft): readonly Message[] {
  const { messages, input } = draft
  if (input.trim() === '') return messages
  return [...withReply(draft), newMessage('user', input)]
}

/** The messages with the chosen reply as the last of them. */
export function withReply(draft: Draft): readonly Message[] {
  const text = chosenChoice(draft)?.text ?? ''
  return text === '' ? draft.messages : [...draft.messages, newMessage('assistant', text)]
}

export function chosenChoice({ replies, chosen }: Draft): Choice | undefined {
  return replies[chosen.column]?.choices[chosen.choice]
}

/** Why nothing can be asked for; undefined: it can. */
export function conversationFault({ messages }: Conversation): string | undefined {
  if (messages.length === 0) return 'Write a message first.'
  if (messages.length > messagesMax)
    return `A conversation has at most ${messagesMax} messages: remove some.`
  return undefined
}

export function isRunning({ replies }: Draft): boolean {
  return replies.some(({ outcome }) => outcome.state === 'running')
}

/** The new message joins the conversation, after the reply it answers. */
export function takeInput(draft: Draft): Draft {
  return { ...draft, messages: nextMessages(draft), input: '' }
}

/** A reply begun in each column, in the place of what was there. */
export function beginReplies(draft: Draft): Draft {
  return { ...draft, replies: draft.columns.map(() => newReply), chosen: emptyDraft.chosen }
}

/** The reply becomes a message like the others, which can be edited. */
export function takeReply(draft: Draft): Draft {
  return { ...draft, messages: withReply(draft), replies: [], chosen: emptyDraft.chosen }
}
