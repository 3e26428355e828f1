import { Type, type Static } from 'typebox'
import { orNull } from './or-null.ts'

const engineStates = ['loading', 'ready', 'restarting', 'closed'] as const

/** What the engine does now; rates are those of the last seconds. */
export const PanelLive = Type.Object({
  engine: Type.Object({
    state: Type.Unsafe<(typeof engineStates)[number]>({ type: 'string', enum: [...engineStates] }),
    slots: Type.Integer(),
    running: Type.Integer({ description: 'Slots that are taken.' }),
    prompt_tokens_per_second: Type.Number({ description: 'Computed, not found in the KV cache.' }),
    completion_tokens_per_second: Type.Number(),
    cached_token_share: orNull(
      Type.Number({
        description: 'Of the prompt tokens: those found in the KV cache; null: there were none.',
      }),
    ),
    guessed_tokens: Type.Integer({ description: 'Since the start.' }),
    restarts: Type.Integer({ description: 'Since the start.' }),
  }),
  queue: Type.Object({ waiting: Type.Integer(), max: Type.Integer() }),
  service: Type.Object({
    version: Type.String(),
    started_ms: Type.Integer(),
    ledger_healthy: Type.Boolean(),
    accepting: Type.Boolean({ description: 'False once the service is being stopped.' }),
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
  card: Type.String({
    description: 'Markdown; empty where another model than the bundled one runs.',
  }),
})
export type PanelLive = Static<typeof PanelLive>
