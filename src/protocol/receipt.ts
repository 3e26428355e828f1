import { Type, type Static } from 'typebox'
import { receiptErrorMessageCharsMax } from '../limits.ts'
import { FinishReason, Usage } from './chat/usage.ts'
import { ModelId } from './chat/model.ts'
import { orNull } from './nullable.ts'
import { receiptStatuses } from './panel/values.ts'

/** The outcome of a request. A member is null if it is unknown, or if the request ended before it was known. */
export const Receipt = Type.Object({
  id: Type.String(),
  object: Type.Literal('request'),
  created: Type.Integer(),
  model: ModelId,
  route: Type.String(),
  stream: Type.Boolean(),
  key_id: Type.String(),
  status: Type.Unsafe<(typeof receiptStatuses)[number]>({
    type: 'string',
    enum: [...receiptStatuses],
  }),
  finish_reason: orNull(FinishReason),
  usage: Usage,
  max_tokens: Type.Integer({ description: 'The sum over all choices.' }),
  timing: Type.Object({
    queue_ms: orNull(Type.Integer()),
    prefill_ms: orNull(Type.Integer()),
    decode_ms: orNull(Type.Integer()),
  }),
  seed: orNull(
    Type.Integer({ description: 'The same request with this seed gets the same reply.' }),
  ),
  system_fingerprint: orNull(Type.String()),
  error: orNull(
    Type.Object(
      {
        code: Type.String(),
        param: orNull(Type.String()),
        message: orNull(
          Type.String({ description: `Cut after ${receiptErrorMessageCharsMax} characters.` }),
        ),
      },
      { description: 'The error that the caller received.' },
    ),
  ),
  parameters: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'Accepted parameters that cannot change the reply.',
  }),
  ignored_parameters: Type.Array(Type.String()),
})
export type Receipt = Static<typeof Receipt>

export const ReceiptList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Receipt),
  has_more: Type.Boolean(),
  first_id: orNull(Type.String()),
  last_id: orNull(Type.String({ description: 'The value of `after` for the next page.' })),
})
export type ReceiptList = Static<typeof ReceiptList>
