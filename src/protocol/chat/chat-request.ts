import { Type, type Static, type TSchema } from 'typebox'
import {
  type ChatParameter,
  type ChatParameterName,
  chatParameters,
} from '../../chat-parameters.ts'
import { ModelId } from './model.ts'
import { FunctionTool, NamedToolChoice } from './function-tool.ts'
import { Message } from './message.ts'
import { nullable, nullableArray, nullableAs, nullableObject, type Scalars } from '../nullable.ts'
import { otherFormats, ResponseFormat } from './response-format.ts'

/** Other services' names for `max_tokens`. */
export const maxTokensAliases = [
  'max_completion_tokens',
  'max_new_tokens',
  'n_predict',
  'num_predict',
] as const satisfies ChatParameterName[]

const StreamOptions = Type.Object({
  include_usage: nullable('boolean', {
    description: 'Adds a chunk before `[DONE]` with `choices: []` and the usage.',
  }),
  include_obfuscation: nullable('boolean'),
})

const { messages, tools, tool_choice: toolChoice } = chatParameters

/** Parameters that are objects with a fixed schema, or that contain such objects. */
const structured = {
  model: ModelId,
  messages: Type.Array(Message, { minItems: messages.minItems, maxItems: messages.maxItems }),
  stream_options: nullableObject(StreamOptions),
  response_format: nullableObject(ResponseFormat),
  ...otherFormats,
  tools: nullableArray(FunctionTool, { maxItems: tools.maxItems }),
  tool_choice: nullableAs<string | Static<typeof NamedToolChoice>>('object', {
    ...NamedToolChoice,
    type: [...toolChoice.type, 'null'],
    default: toolChoice.default,
    description: '`none`, `auto`, `required`, or the function to call.',
  }),
} satisfies Partial<Record<ChatParameterName, TSchema>>

/** Types of the parameters that are lists or maps of simple values. */
type Collections = {
  stop: string | string[]
  stop_token_ids: number[]
  logit_bias: Record<string, number>
  chat_template_kwargs: Record<string, string | number | boolean>
  metadata: Record<string, string>
}

type ValueOf<Name extends ChatParameterName> = Name extends keyof Collections
  ? Collections[Name]
  : (typeof chatParameters)[Name]['type'] extends infer Kind extends keyof Scalars
    ? Scalars[Kind]
    : never

type SimpleName = Exclude<ChatParameterName, keyof typeof structured>
type Simple = { [Name in SimpleName]: ReturnType<typeof nullableAs<ValueOf<Name>>> }

/** One schema for each row, in the order of the table. Structured parameters get their own schemas below. */
const schemas = Object.entries<ChatParameter>(chatParameters).map(([name, row]) => {
  const { type, field: _, ...keywords } = row
  return [name, nullableAs(type, keywords)]
})

export const ChatCompletionRequest = Type.Object({
  // The cast is safe: the table has every simple name.
  ...(Object.fromEntries(schemas) as Simple),
  ...structured,
})
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>
