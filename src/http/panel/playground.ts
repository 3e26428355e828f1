import type { CompletionServices } from '../../completions/completion-services.ts'
import { playgroundContracts as contracts } from '../../protocol/operations/panel/playground.ts'
import { withCompletionTokens } from '../../protocol/operations/chat.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { complete } from '../operations/chat-completions.ts'
import { previewTokens } from '../operations/input-tokens.ts'

/** The chat operations of `/v1/` with a session instead of an API key. */
export function playgroundOperations(services: CompletionServices): PanelOperation[] {
  const asCaller = { auth: 'session', role: 'any', as: 'caller', takes: 'place' } as const
  const limited = <C extends (typeof contracts)[keyof typeof contracts]>(contract: C) =>
    withCompletionTokens(contract, services.completionTokens)
  return [
    operation(limited(contracts.complete), asCaller)((input) => complete(services, input)),
    operation(
      limited(contracts.countInputTokens),
      asCaller,
    )((input) =>
      // The page counts tokens while a user types. That must not use up the requests per minute.
      previewTokens(services, input, { isLimited: false }),
    ),
  ]
}
