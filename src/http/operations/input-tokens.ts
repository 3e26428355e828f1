import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/api-keys.ts'
import { Interruption } from '../../completions/interruption.ts'
import { previewCompletion } from '../../completions/preview-completion.ts'
import type { CompletionServices } from '../../completions/run-completion.ts'
import { ChatCompletionRequest, modelId } from '../../protocol/chat-completion.ts'
import { InputTokens } from '../../protocol/input-tokens.ts'
import type { ApiRoute } from '../route.ts'
import { errorsOfGenerations } from './chat-completions.ts'
import { limitsOf } from './key.ts'
import { nameIgnored, parseChatRequest } from '../wire/parse-chat-request.ts'

/** Pre-flight: the same body and the same refusals as a completion, but one that does not fit is told so. */
export function inputTokensRoute(services: CompletionServices): ApiRoute {
  return {
    method: 'POST',
    url: '/v1/chat/completions/input_tokens',
    auth: 'api-key',
    scope: 'chat',
    body: ChatCompletionRequest,
    doc: {
      operationId: 'countInputTokens',
      summary: 'What a completion of the same body would meet',
      description:
        'Counts the prompt and generates nothing. A prompt that does not fit is a 200 with `fits: false`; ' +
        'whatever else a completion would refuse is refused with the same error.',
      replies: {
        200: {
          description: 'The counts.',
          content: { 'application/json': InputTokens },
          headers: ['x-ignored-parameters'],
        },
      },
      errors: errorsOfGenerations.filter((code) => code !== 'context_length_exceeded'),
    },
    handler: (request, reply, caller) => countInputTokens(services, request, reply, caller),
  }
}

export async function countInputTokens(
  services: CompletionServices,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<InputTokens> {
  const chat = parseChatRequest(request.body)
  nameIgnored(reply, chat)
  const { generation } = chat
  const control = new AbortController()
  const onClose = () => control.abort(new Interruption('client_abort'))
  reply.raw.once('close', onClose)
  try {
    const preview = await previewCompletion(services, generation, control.signal)
    return {
      object: 'chat.completion.input_tokens',
      model: modelId,
      input_tokens: preview.promptTokens,
      fits: preview.tokensLeft > 0,
      context_length: preview.contextTokens,
      tokens_left: preview.tokensLeft,
      max_tokens: Math.min(generation.maxTokens, preview.tokensLeft),
      estimated_wait_ms: preview.waitMs,
      ...limitsOf(services.rateLimits, caller),
    }
  } finally {
    reply.raw.off('close', onClose)
  }
}
