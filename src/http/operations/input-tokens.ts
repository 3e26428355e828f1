import { previewCompletion } from '../../completions/preview-completion.ts'
import type { CompletionServices } from '../../completions/completion-services.ts'
import type { InputTokens } from '../../protocol/chat/input-tokens.ts'
import { countInputTokens } from '../../protocol/operations/chat.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { abortOnHangUp } from '../request/hang-up.ts'
import { parseChatRequest } from '../wire/parse-chat-request.ts'
import { toInputTokens } from '../wire/to-input-tokens.ts'
import { type ChatInput, nameIgnored } from './chat-input.ts'

/** Counts the tokens of a completion's body. Errors are those of a completion, except that the prompt may be too long. */
export function inputTokensOperation(services: CompletionServices): ApiOperation {
  return operation(countInputTokens, { auth: 'api-key', scope: 'chat' })((input) =>
    previewTokens(services, input, { isLimited: true }),
  )
}

/** @param options `isLimited`: takes one request, and no tokens, from the caller's limits. */
export async function previewTokens(
  services: CompletionServices,
  { body, reply, caller }: ChatInput<typeof countInputTokens>,
  { isLimited }: { isLimited: boolean },
): Promise<InputTokens> {
  const chat = parseChatRequest(body)
  nameIgnored(reply, chat.ignoredParameters)
  const { signal } = abortOnHangUp(reply.raw)
  const hold = isLimited ? services.rateLimits.enter(caller, services.now()) : undefined
  const preview = await previewCompletion(services, chat, signal).finally(() => hold?.end(0))
  return toInputTokens(preview, chat.generation.maxTokens, services.rateLimits.state(caller))
}
