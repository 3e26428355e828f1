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

/** Headers that may name the end user. The second one is sent by Open WebUI. */
const headerNames = ['x-end-user-id', 'x-openwebui-user-id']

/** Sets `namedUser` of every request to the end user that a trusted proxy names. */
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
 * Returns the end user that a trusted proxy names, or else the one in the body, or undefined. The end users of one API
 * key share its slots.
 */
export function endUserOf(
  { namedUser }: Pick<FastifyRequest, 'namedUser'>,
  { safety_identifier: identifier, user }: ChatCompletionRequest,
): string | undefined {
  return namedUser ?? (identifier || user || undefined)
}
