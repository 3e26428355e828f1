import { Type, type Static } from 'typebox'
import { modelId } from './model-id.ts'

export const ModelId = Type.Unsafe<string>({ type: 'string', const: modelId })

export const Model = Type.Object({
  id: ModelId,
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'When the service started, as Unix time in seconds.' }),
  owned_by: Type.String(),
  context_length: Type.Integer({ description: 'The context window: prompt and reply together.' }),
  max_model_len: Type.Integer({ description: 'Same as `context_length`.' }),
})
export type Model = Static<typeof Model>

export const ModelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(Model) })
export type ModelList = Static<typeof ModelList>
