import type { Engine } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import { modelId } from '../../protocol/chat-completion.ts'
import { Model, ModelList } from '../../protocol/model.ts'
import type { ApiRoute } from '../route.ts'

export function modelRoutes(engine: Engine, startedMs: number): ApiRoute[] {
  const describe = (): Model => ({
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
      scope: 'any',
      doc: {
        operationId: 'listModels',
        summary: 'The one model',
        replies: {
          200: { description: 'A list of one.', content: { 'application/json': ModelList } },
        },
        errors: [],
      },
      handler: (): ModelList => ({ object: 'list', data: [describe()] }),
    },
    {
      method: 'GET',
      url: '/v1/models/:id',
      auth: 'api-key',
      scope: 'any',
      doc: {
        operationId: 'retrieveModel',
        summary: 'The one model, by its name',
        parameters: [
          {
            name: 'id',
            in: 'path',
            schema: { type: 'string' },
            description: `\`${modelId}\`; any other is 404.`,
          },
        ],
        replies: { 200: { description: 'The model.', content: { 'application/json': Model } } },
        errors: ['model_not_found'],
      },
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
