import { Type, type Static } from 'typebox'
import { orNull } from './nullable.ts'

const engineStates = ['loading', 'ready', 'restarting', 'closed'] as const

/** The current state of the engine and the service. Rates are averages over about ten seconds. */
export const PanelLive = Type.Object({
  engine: Type.Object({
    state: Type.Unsafe<(typeof engineStates)[number]>({ type: 'string', enum: [...engineStates] }),
    slots: Type.Integer(),
    running: Type.Integer({ description: 'Slots in use.' }),
    prompt_tokens_per_second: Type.Number({
      description: 'Prompt tokens computed; those found in the KV cache do not count.',
    }),
    completion_tokens_per_second: Type.Number(),
    cached_token_share: orNull(
      Type.Number({
        description:
          'The share of prompt tokens found in the KV cache; null without any prompt tokens.',
      }),
    ),
    speculative_tokens: Type.Integer({
      description: 'Speculative tokens accepted since the start.',
    }),
    restarts: Type.Integer({ description: 'Restarts of the engine since the start.' }),
  }),
  queue: Type.Object({ waiting: Type.Integer(), max: Type.Integer() }),
  service: Type.Object({
    version: Type.String(),
    started_ms: Type.Integer(),
    ledger_healthy: Type.Boolean(),
    accepting: Type.Boolean({ description: 'False while the service shuts down.' }),
  }),
  model: Type.Object({
    id: Type.String(),
    description: Type.String(),
    context_tokens: Type.Integer(),
    completion_tokens_max: Type.Integer(),
    fingerprint: Type.String(),
    slots: Type.Integer(),
    device: orNull(Type.String()),
  }),
})
export type PanelLive = Static<typeof PanelLive>
