import type { FastifyInstance, FastifyRequest } from 'fastify'
import { chatParameters } from '../../chat-parameters.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import type { IsTrustedProxy } from '../../addresses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The end user that a trusted proxy names in a header. */
    readonly namedUser: string | undefined
  }
}

/** The second one is sent by Open WebUI. */
const headerNames = ['x-end-user-id', 'x-openwebui-user-id']

/** Makes `namedUser` of every request the end user that a trusted proxy names. */
export function readNamedUsers(app: FastifyInstance, isTrusted: IsTrustedProxy): void {
  app.decorateRequest('namedUser', {
    getter() {
      const { headers, socket } = this.raw
      for (const name of headerNames) {
        const value = headers[name]
        if (typeof value === 'string' && value !== '' && isTrusted(socket.remoteAddress ?? ''))
          return value.slice(0, chatParameters.user.maxLength)
      }
      return undefined
    },
  })
}

/**
 * Returns the end user of the API key, who shares its slots with the others: the one that a trusted proxy names,
 * else the one in the body. Undefined if neither does.
 */
export function endUserOf(
  { namedUser }: Pick<FastifyRequest, 'namedUser'>,
  { safety_identifier: identifier, user }: ChatCompletionRequest,
): string | undefined {
  return namedUser ?? (identifier || user || undefined)
}
