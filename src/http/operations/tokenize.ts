import type { CompletionServices } from '../../completions/completion-services.ts'
import { withLeasedEngine } from '../../completions/admission/lease-engine.ts'
import { tokenizePrompt, type TokenizeSpec } from '../../completions/preview-completion.ts'
import { ServiceError } from '../../errors.ts'
import { findUnknown } from '../../protocol/chat/parameters.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import { withCompletionTokens } from '../../protocol/operations/chat.ts'
import { tokenize, type TokenizeRequest, TokenizeText } from '../../protocol/operations/tokenize.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { abortOnEnd } from '../request/hang-up.ts'
import {
  type ChatSettings,
  namedInHeader,
  parseChatRequest,
  requireSupported,
} from '../wire/chat/parse-chat-request.ts'
import { toTokens } from '../wire/to-tokens.ts'
import { chatSettings, nameIgnored, unusedSeed } from './chat-input.ts'

/** Lists the tokens of a text or a conversation, so that callers have ids for `logit_bias`. */
export function tokenizeOperation(allServices: CompletionServices): ApiOperation {
  const contract = withCompletionTokens(tokenize, allServices.completionTokens)
  return operation(contract, { auth: 'api-key', scope: 'chat', takes: 'place' })(
    ({ body, reply, caller, place }) => {
      const control = abortOnEnd(reply.raw, caller.revoked)
      return withLeasedEngine(allServices, { place, control }, async (services) => {
        const { ignored, ...spec } = parseTokenizeRequest(body, chatSettings(services))
        nameIgnored(reply, ignored)
        const hold = await services.rateLimits.enter(caller, services.now())
        const prompt = await tokenizePrompt(services, { place, control }, spec).finally(() =>
          hold.end(0),
        )
        return toTokens(prompt)
      })
    },
  )
}

function parseTokenizeRequest(
  body: TokenizeRequest,
  settings: ChatSettings,
): TokenizeSpec & { ignored: readonly string[] } {
  const { text, messages } = body
  if (text != null && messages !== undefined)
    throw new ServiceError('invalid_value', 'Send `text` or `messages`, not both.', {
      param: 'text',
    })
  if (text != null) {
    requireSupported(body)
    return {
      messages: [{ role: 'user', content: text }],
      isPlain: true,
      ignored: namedInHeader(findUnknown(body, TokenizeText)),
    }
  }
  if (messages === undefined)
    throw new ServiceError(
      'missing_required_parameter',
      'Missing required parameter: `messages` or `text`.',
      { param: 'messages' },
    )
  const chat = parseChatRequest({ ...body, model: modelId, messages }, settings, unusedSeed)
  return {
    messages: chat.messages,
    format: chat.generation.format,
    variables: chat.generation.variables,
    ignored: chat.ignoredParameters,
  }
}
