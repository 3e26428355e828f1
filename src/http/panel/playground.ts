import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/api-keys.ts'
import type { PanelAccounts } from '../../people/panel-accounts.ts'
import { toPlaygroundCaller } from '../../accounts/playground-caller.ts'
import type { CompletionServices } from '../../completions/run-completion.ts'
import { ChatCompletionRequest } from '../../protocol/chat-completion.ts'
import type { PanelRoute } from '../route.ts'
import { createCompletion } from '../operations/chat-completions.ts'
import { countInputTokens } from '../operations/input-tokens.ts'

type PlaygroundServices = CompletionServices & { panelAccounts: PanelAccounts }
type Handler = (
  services: CompletionServices,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
) => unknown

/** The operations of `/v1/` under the same contract, for who has a session instead of a key. */
export function panelPlaygroundRoutes(services: PlaygroundServices): PanelRoute[] {
  const route = (url: string, handler: Handler): PanelRoute => ({
    method: 'POST',
    url,
    auth: 'session',
    role: 'any',
    body: ChatCompletionRequest,
    handler: async (request, reply, user) => {
      const { account } = await services.panelAccounts.findUser(user.userId)
      const caller = toPlaygroundCaller(account, user)
      // The reply's headers tell the limits of whom they hold.
      request.caller = caller
      return handler(services, request, reply, caller)
    },
  })
  return [
    route('/panel/api/chat/completions', createCompletion),
    route('/panel/api/chat/completions/input_tokens', countInputTokens),
  ]
}
