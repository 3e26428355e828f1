import { Type } from 'typebox'
import { LivenessReply, ReadinessReply } from '../health.ts'
import { Key } from '../key.ts'
import { documented } from './contract.ts'

export const retrieveKey = documented({
  method: 'GET',
  path: '/v1/key',
  operationId: 'retrieveKey',
  summary: 'Retrieve the API key of the request and its limits',
  replies: {
    200: {
      description: 'The key, with the state of its limits.',
      content: { 'application/json': Key },
    },
  },
  errors: [],
})

export const isAlive = documented({
  method: 'GET',
  path: '/healthz',
  operationId: 'isAlive',
  summary: 'Check that the process is alive',
  replies: {
    200: { description: 'The process is alive.', content: { 'application/json': LivenessReply } },
  },
  errors: [],
})

export const isReady = documented({
  method: 'GET',
  path: '/readyz',
  operationId: 'isReady',
  summary: 'Check that the service can serve completions',
  replies: {
    200: { description: 'The service is ready.', content: { 'application/json': ReadinessReply } },
    503: {
      description: 'The service is not ready. The members say why.',
      content: { 'application/json': ReadinessReply },
    },
  },
  errors: [],
})

export const describeApi = documented({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'describeApi',
  summary: 'This document',
  replies: {
    200: {
      description: 'The OpenAPI 3.1 document.',
      content: { 'application/json': Type.Unsafe<object>({ type: 'object' }) },
    },
  },
  errors: [],
})

export const readDocs = documented({
  method: 'GET',
  path: '/docs',
  operationId: 'readDocs',
  summary: 'This document as pages for people',
  replies: {
    200: {
      description: 'The page.',
      content: { 'text/html': Type.Unsafe<string>({ type: 'string' }) },
    },
    304: { description: 'The page has not changed.', content: {} },
    404: {
      description: 'The pages are not built.',
      content: { 'text/plain': Type.Unsafe<string>({ type: 'string' }) },
    },
  },
  errors: [],
})
