import { ServiceError } from '../../errors.ts'
import { receiptsListedDefault, receiptsListedMax } from '../../limits.ts'
import type { FinishReason } from '../../protocol/chat-completion.ts'
import { Receipt, ReceiptList } from '../../protocol/receipt.ts'
import type { Receipts, Receipt as StoredReceipt } from '../../usage/receipts.ts'
import type { ApiRoute } from '../route.ts'

/** Receipts: what became of the account's own requests. */
export function requestRoutes(receipts: Receipts): ApiRoute[] {
  return [
    {
      method: 'GET',
      url: '/v1/requests',
      auth: 'api-key',
      scope: 'read',
      doc: {
        operationId: 'listRequests',
        summary: 'Receipts of the account, the latest first',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            schema: {
              type: 'integer',
              minimum: 1,
              maximum: receiptsListedMax,
              default: receiptsListedDefault,
            },
            description: 'How many.',
          },
          {
            name: 'after',
            in: 'query',
            schema: { type: 'string' },
            description: 'The `last_id` of the page before.',
          },
        ],
        replies: {
          200: { description: 'One page.', content: { 'application/json': ReceiptList } },
        },
        errors: [
          'unsupported_parameter',
          'invalid_type',
          'integer_above_max_value',
          'integer_below_min_value',
          'request_not_found',
          'ledger_unavailable',
        ],
      },
      handler: async (request, _reply, { accountId }): Promise<ReceiptList> => {
        const { after, limit } = parsePage(request.query as Record<string, unknown>)
        const found = await receipts.list(accountId, limit + 1, { after })
        if (found === undefined) throw receiptNotFound('after')
        const data = found.slice(0, limit).map(receiptToWire)
        return {
          object: 'list',
          data,
          has_more: found.length > limit,
          first_id: data.at(0)?.id ?? null,
          last_id: data.at(-1)?.id ?? null,
        }
      },
    },
    {
      method: 'GET',
      url: '/v1/requests/:id',
      auth: 'api-key',
      scope: 'read',
      doc: {
        operationId: 'retrieveRequest',
        summary: 'What became of a request; never its prompt or its reply',
        parameters: [
          {
            name: 'id',
            in: 'path',
            schema: { type: 'string' },
            description: 'The `x-request-id` of its reply.',
          },
        ],
        replies: { 200: { description: 'The receipt.', content: { 'application/json': Receipt } } },
        errors: ['request_not_found', 'ledger_unavailable'],
      },
      handler: async (request, _reply, { accountId }): Promise<Receipt> => {
        const { id } = request.params as { id: string }
        const found = await receipts.find(accountId, id)
        if (found === undefined) throw receiptNotFound('request_id')
        return receiptToWire(found)
      },
    },
  ]
}

/** @throws ServiceError unsupported_parameter, invalid_type, integer_above_max_value, integer_below_min_value */
function parsePage(query: Record<string, unknown>): { after: string | undefined; limit: number } {
  const { after, limit = String(receiptsListedDefault), ...others } = query
  for (const param of Object.keys(others))
    throw new ServiceError('unsupported_parameter', 'This list takes `after` and `limit` only.', {
      param: param.slice(0, 64),
    })
  if (after !== undefined && typeof after !== 'string') throw notOnce('after', 'a request id')
  if (typeof limit !== 'string' || !/^-?\d{1,9}$/.test(limit))
    throw notOnce('limit', 'a whole number')
  const count = Number(limit)
  if (count < 1)
    throw new ServiceError('integer_below_min_value', '`limit` must be at least 1.', {
      param: 'limit',
    })
  if (count > receiptsListedMax)
    throw new ServiceError(
      'integer_above_max_value',
      `\`limit\` must be at most ${receiptsListedMax}.`,
      { param: 'limit' },
    )
  return { after, limit: count }
}

function notOnce(param: string, what: string): ServiceError {
  return new ServiceError('invalid_type', `\`${param}\` must be ${what}, given once.`, { param })
}

/** Somebody else's request is told from none at all by nobody. */
export function receiptNotFound(param: string): ServiceError {
  return new ServiceError(
    'request_not_found',
    'This account has no such request, or its receipt is older than receipts are kept.',
    { param },
  )
}

export function receiptToWire(receipt: StoredReceipt): Receipt {
  const { promptTokens, completionTokens } = receipt
  return {
    id: receipt.requestId,
    object: 'request',
    created: Math.floor(receipt.createdMs / 1000),
    model: receipt.model,
    route: receipt.route,
    stream: receipt.stream,
    key_id: receipt.keyId,
    status: receipt.status,
    finish_reason: (receipt.finishReason as FinishReason | undefined) ?? null,
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: receipt.cachedTokens },
    },
    max_tokens: receipt.maxTokens,
    timing: {
      queue_ms: receipt.queueMs ?? null,
      prefill_ms: receipt.prefillMs ?? null,
      decode_ms: receipt.decodeMs ?? null,
    },
    seed: receipt.seed ?? null,
    system_fingerprint: receipt.fingerprint ?? null,
    error: receipt.errorCode === undefined ? null : { code: receipt.errorCode },
    parameters: receipt.parameters,
    ignored_parameters: receipt.ignored,
  }
}
