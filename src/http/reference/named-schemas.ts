import {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFailure,
} from '../../protocol/chat/chat-completion.ts'
import { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import { InputTokens } from '../../protocol/chat/input-tokens.ts'
import { Message, TextPart } from '../../protocol/chat/message.ts'
import { Usage } from '../../protocol/chat/usage.ts'
import { ErrorReply } from '../../protocol/error-reply.ts'
import { Key, LimitStates } from '../../protocol/key.ts'
import { Model, ModelList } from '../../protocol/chat/model.ts'
import { TokenList } from '../../protocol/operations/tokenize.ts'
import { Receipt, ReceiptList } from '../../protocol/receipt.ts'
import type { Json } from './openapi.ts'

/** The schemas that have a name in the document. All others are written inline. */
const named: Readonly<Record<string, object>> = {
  ChatCompletionRequest,
  Message,
  TextPart,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFailure,
  Usage,
  InputTokens,
  TokenList,
  Key,
  LimitStates,
  Model,
  ModelList,
  Receipt,
  ReceiptList,
  ErrorReply,
}
const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

/** Returns `components.schemas` of the document. */
export function namedSchemas(): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, toJson(schema, schema)]),
  )
}

/** Returns a copy with a reference for every schema that has a name, except for `root` itself. */
export function toJson(value: unknown, root?: object): Json {
  if (Array.isArray(value)) return value.map((item) => toJson(item))
  if (typeof value === 'object' && value !== null) {
    const name = value === root ? undefined : names.get(value)
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
    return Object.fromEntries(
      Object.entries(value)
        // TypeBox marks its schemas with members like `~kind`.
        .filter(([key]) => !key.startsWith('~'))
        .map(([key, item]) => [key, toJson(item)]),
    )
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return null
}
