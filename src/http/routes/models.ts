import type { Engine } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import { modelId } from '../../protocol/chat-completion.ts'
import type { Route } from '../route.ts'

export function modelRoutes(engine: Engine, startedMs: number): Route[] {
  const describe = () => ({
    id: modelId,
    object: 'model',
    created: Math.floor(startedMs / 1000),
    owned_by: 'pipit',
    context_length: engine.info.contextTokens,
    max_model_len: engine.info.contextTokens,
  })
  return [
    {
      method: 'GET',
      url: '/v1/models',
      auth: 'api-key',
      handler: () => ({ object: 'list', data: [describe()] }),
    },
    {
      method: 'GET',
      url: '/v1/models/:id',
      auth: 'api-key',
      handler: (request) => {
        const { id } = request.params as { id: string }
        if (id === modelId) return describe()
        throw new ServiceError('model_not_found', `This service has one model, \`${modelId}\`.`, {
          param: 'model',
        })
      },
    },
  ]
}
