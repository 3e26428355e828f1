import { Type } from 'typebox'
import { LivenessReply, ReadinessReply } from '../health.ts'
import { Key } from '../key.ts'
import { documented } from './contract.ts'

export const retrieveKey = documented({
  method: 'GET',
  path: '/v1/key',
  operationId: 'retrieveKey',
  summary: 'What the key may still do',
  replies: { 200: { description: 'The key.', content: { 'application/json': Key } } },
  errors: [],
})

export const isAlive = documented({
  method: 'GET',
  path: '/healthz',
  operationId: 'isAlive',
  summary: 'Whether the process is alive',
  replies: { 200: { description: 'It is.', content: { 'application/json': LivenessReply } } },
  errors: [],
})

export const isReady = documented({
  method: 'GET',
  path: '/readyz',
  operationId: 'isReady',
  summary: 'Whether completions can be made now',
  replies: {
    200: { description: 'They can.', content: { 'application/json': ReadinessReply } },
    503: {
      description: 'Not now; the parts say why.',
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
      description: 'OpenAPI 3.1.',
      content: { 'application/json': Type.Unsafe<object>({ type: 'object' }) },
    },
  },
  errors: [],
})

export const readDocs = documented({
  method: 'GET',
  path: '/docs',
  operationId: 'readDocs',
  summary: 'This document as a page',
  replies: {
    200: {
      description: 'HTML.',
      content: { 'text/html': Type.Unsafe<string>({ type: 'string' }) },
    },
  },
  errors: [],
})
