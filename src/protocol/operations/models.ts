import { Type } from 'typebox'
import { modelId } from '../chat/model-id.ts'
import { Model, ModelList } from '../chat/model.ts'
import { documented } from './contract.ts'

export const listModels = documented({
  method: 'GET',
  path: '/v1/models',
  operationId: 'listModels',
  summary: 'List the models',
  replies: {
    200: { description: 'A list with the one model.', content: { 'application/json': ModelList } },
  },
  errors: [],
})

export const retrieveModel = documented({
  method: 'GET',
  path: '/v1/models/:id',
  params: Type.Object({
    id: Type.String({ description: `\`${modelId}\`; any other id gets 404.` }),
  }),
  operationId: 'retrieveModel',
  summary: 'Retrieve a model',
  replies: { 200: { description: 'The model.', content: { 'application/json': Model } } },
  errors: ['model_not_found'],
})
