import { Type, type Static } from 'typebox'

/** The one model's public name, whatever weights serve it (interface §1). */
export const modelId = 'svc-o1-mini'

export const Model = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'When the service was started.' }),
  owned_by: Type.String(),
  context_length: Type.Integer({ description: 'Prompt and reply together, as it runs now.' }),
  max_model_len: Type.Integer({ description: 'Another name for `context_length`.' }),
})
export type Model = Static<typeof Model>

export const ModelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(Model) })
export type ModelList = Static<typeof ModelList>
