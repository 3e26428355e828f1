import { Type } from 'typebox'
import { modelId } from '../model.ts'
import { Model, ModelList } from '../model.ts'
import { documented } from './contract.ts'

export const listModels = documented({
  method: 'GET',
  path: '/v1/models',
  operationId: 'listModels',
  summary: 'The one model',
  replies: { 200: { description: 'A list of one.', content: { 'application/json': ModelList } } },
  errors: [],
})

export const retrieveModel = documented({
  method: 'GET',
  path: '/v1/models/:id',
  params: Type.Object({ id: Type.String({ description: `\`${modelId}\`; any other is 404.` }) }),
  operationId: 'retrieveModel',
  summary: 'The one model, by its name',
  replies: { 200: { description: 'The model.', content: { 'application/json': Model } } },
  errors: ['model_not_found'],
})
