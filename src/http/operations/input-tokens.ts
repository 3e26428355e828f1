import { withLeasedEngine } from '../../completions/admission/lease-engine.ts'
import { previewCompletion } from '../../completions/preview-completion.ts'
import type { CompletionServices } from '../../completions/completion-services.ts'
import type { InputTokens } from '../../protocol/chat/input-tokens.ts'
import { countInputTokens, withCompletionTokens } from '../../protocol/operations/chat.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { endUserOf } from '../request/end-user.ts'
import { abortOnEnd } from '../request/hang-up.ts'
import { parseChatRequest } from '../wire/chat/parse-chat-request.ts'
import { toInputTokens } from '../wire/to-input-tokens.ts'
import { type ChatInput, chatSettings, nameIgnored, unusedSeed } from './chat-input.ts'

/**
 * Counts the prompt tokens of a chat request. Fails as a completion would, except that it accepts a prompt that is too
 * long.
 */
export function inputTokensOperation(services: CompletionServices): ApiOperation {
  const contract = withCompletionTokens(countInputTokens, services.completionTokens)
  return operation(contract, { auth: 'api-key', scope: 'chat', takes: 'place' })((input) =>
    previewTokens(services, input, { isLimited: true }),
  )
}

/** @param options `isLimited`: counts one request, but no tokens, against the caller's limits. */
export function previewTokens(
  allServices: CompletionServices,
  { body, request, reply, caller, place }: ChatInput<typeof countInputTokens>,
  { isLimited }: { isLimited: boolean },
): Promise<InputTokens> {
  const control = abortOnEnd(reply.raw, caller.revoked)
  return withLeasedEngine(allServices, { place, control }, async (services) => {
    const chat = parseChatRequest(body, chatSettings(services), unusedSeed)
    nameIgnored(reply, chat.ignoredParameters)
    const hold = isLimited ? await services.rateLimits.enter(caller, services.now()) : undefined
    const endUser = endUserOf(request, body)
    const admitted = { place, control, endUser }
    const preview = await previewCompletion(services, admitted, chat).finally(() => hold?.end(0))
    return toInputTokens(preview, chat.generation.maxTokens, services.rateLimits.state(caller))
  })
}
