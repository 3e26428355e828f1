import type { Engine } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import { listModels, retrieveModel } from '../../protocol/operations/models.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { toModel } from '../wire/to-model.ts'

export function modelOperations(engine: Engine, startedMs: number): ApiOperation[] {
  const anyKey = { auth: 'api-key', scope: 'any' } as const
  const model = () => toModel(engine.info, startedMs)
  return [
    operation(listModels, anyKey)(() => ({ object: 'list', data: [model()] })),
    operation(
      retrieveModel,
      anyKey,
    )(({ params }) => {
      if (params.id === modelId) return model()
      throw new ServiceError('model_not_found', `The model does not exist. Use \`${modelId}\`.`, {
        param: 'model',
      })
    }),
  ]
}
