import { SchemaRefused } from '../../../grammar/grammar.ts'
import { ConversationRefused, MachineBusy } from '../prompt/chat-template.ts'
import type { Refusal } from './thread-messages.ts'

/** Describes for the parent why a conversation cannot be prepared. */
export function refusalOf(error: unknown): Refusal {
  const message = causeOf(error)
  if (error instanceof ConversationRefused) return { reason: 'conversation', message, path: '' }
  if (error instanceof MachineBusy) return { reason: 'busy', message, path: '' }
  if (error instanceof SchemaRefused) return { reason: 'schema', message, path: error.path }
  return { reason: 'engine', message, path: '' }
}

export function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}
