import { Type, type Static } from 'typebox'
import { orNull } from '../nullable.ts'

const closed = { additionalProperties: false }
const pullStates = ['waiting', 'running', 'failed', 'stopped'] as const
const switchSteps = ['loading', 'draining', 'restoring'] as const
const templateOrigins = ['model', 'setting', 'ChatML'] as const
const oneOf = <const Choice extends string>(choices: readonly Choice[]) =>
  Type.Unsafe<Choice>({ type: 'string', enum: [...choices] })
const text = orNull(Type.String())
const count = orNull(Type.Integer())
const number = orNull(Type.Number())

/** The serving model and the machine. A member is null if it is not known. */
export const PanelModel = Type.Object({
  model: Type.Object({
    id: Type.String(),
    name: orNull(
      Type.String({ description: 'Its name in the list of models; `default` is the bundled one.' }),
    ),
    title: text,
    good_at: text,
    file: text,
    bytes: count,
    quantisation: text,
    architecture: text,
    parameters: text,
    licence: text,
    source: text,
    trained_context_tokens: count,
    context_tokens: Type.Integer({ description: 'Prompt plus completion of one request.' }),
    completion_tokens_max: Type.Integer(),
    slots: Type.Integer(),
    chat_template: orNull(oneOf(templateOrigins)),
    fingerprint: Type.String(),
  }),
  compute: Type.Object({
    device: text,
    kernels: text,
    own_weights_share: orNull(
      Type.Number({ description: 'Part of the weights that our own kernels multiply: 0 to 1.' }),
    ),
    difference: orNull(
      Type.String({ description: 'Why our own kernels are not used for this model.' }),
    ),
    threads: count,
    sandbox: text,
  }),
  memory: Type.Object({
    kv_bytes: count,
    kv_type: text,
    available_at_load_bytes: count,
  }),
  speed: Type.Object(
    {
      replies: Type.Integer(),
      tokens_per_second: number,
      prompt_tokens_per_second: number,
      first_token_ms: number,
    },
    { description: 'Medians of the latest completed replies of this model.' },
  ),
  hardware: Type.Object({
    processor: text,
    cores: Type.Integer(),
    memory_bytes: Type.Integer(),
    available_bytes: Type.Integer(),
    platform: Type.String(),
    node: Type.String(),
  }),
  card: Type.Array(Type.Object({ title: Type.String(), text: Type.String() }), {
    description: 'The sections of the model card in Markdown; the first one may have no title.',
  }),
})
export type PanelModel = Static<typeof PanelModel>

export const PanelPull = Type.Object({
  id: Type.String(),
  model: Type.String(),
  name: text,
  state: oneOf(pullStates),
  bytes: Type.Integer(),
  total_bytes: count,
  bytes_per_second: number,
  seconds_left: number,
  message: orNull(
    Type.String({ description: 'Why it failed, or why it pauses. Null for members.' }),
  ),
})
export type PanelPull = Static<typeof PanelPull>

export const UsableModel = Type.Object({
  name: Type.String({ description: '`default` is the bundled model.' }),
  bytes: count,
  quantisation: text,
  licence: text,
  source: text,
  pulled_ms: count,
  serving: Type.Boolean(),
  damage: orNull(Type.String({ description: 'Half a sentence, if files are missing or cut.' })),
})
export type UsableModel = Static<typeof UsableModel>

/** The models on this machine, the current pulls, and the short list of models to pull. */
export const PanelModels = Type.Object({
  can_switch: Type.Boolean({ description: 'False where PIPIT_MODEL decides on the model.' }),
  switching: orNull(Type.Object({ name: Type.String(), step: oneOf(switchSteps) })),
  failure: orNull(
    Type.Object(
      { name: Type.String(), message: Type.String() },
      { description: 'The latest switch, if it failed. Null for members.' },
    ),
  ),
  models: Type.Array(UsableModel),
  pulls: Type.Array(PanelPull),
  catalogue: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      parameters: Type.String(),
      licence: Type.String(),
      example_file: Type.String(),
      good_at: Type.String(),
    }),
  ),
  catalogue_date: Type.String(),
})
export type PanelModels = Static<typeof PanelModels>

const referenceCharsMax = 300

/** A model to pull. */
export const NewPull = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      maxLength: referenceCharsMax,
      description: 'A name of the list or `hf:owner/name`, with or without `:Q4_K_M`.',
    }),
  },
  closed,
)
