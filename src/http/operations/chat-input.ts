import type { Contract } from '../../protocol/operations/contract.ts'
import type { HeaderSetter, InputOf } from '../operation.ts'

/** The input of an operation on a chat request. The caller is an API key or a session in the playground. */
export type ChatInput<C extends Contract> = InputOf<C, { auth: 'api-key'; scope: 'chat' }>

/** Lists the ignored parameters in a header, so that none is dropped silently. */
export function nameIgnored(
  reply: HeaderSetter<'x-ignored-parameters'>,
  names: readonly string[],
): void {
  if (names.length > 0) reply.header('x-ignored-parameters', names.join(', '))
}
