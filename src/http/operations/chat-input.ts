import type { Contract } from '../../protocol/operations/contract.ts'
import type { HeaderSetter, InputOf } from '../operation.ts'

/** The input of an operation on a chat request, from a key or from a session that stands in for one. */
export type ChatInput<C extends Contract> = InputOf<C, { auth: 'api-key'; scope: 'chat' }>

/** Lists the parameters that the service does not know, so that none is dropped silently. */
export function nameIgnored(
  reply: HeaderSetter<'x-ignored-parameters'>,
  names: readonly string[],
): void {
  if (names.length > 0) reply.header('x-ignored-parameters', names.join(', '))
}
