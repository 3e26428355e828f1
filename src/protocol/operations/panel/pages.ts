import { Type } from 'typebox'
import { contract } from '../contract.ts'

const paths = [
  '/',
  '/setup',
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/keys',
  '/settings',
  '/usage',
  '/requests',
  '/requests/:id',
  '/live',
  '/model',
  '/accounts',
  '/spending',
  '/audit',
  '/replicas',
  '/playground',
  '/quick-start',
] as const

const docsPaths = ['/docs/:page', '/docs/:section/:name'] as const

const replies = {
  200: { content: { 'text/html': Type.String() } },
  304: { content: {} },
  404: { content: { 'text/plain': Type.String() } },
} as const

/** The panel's page paths. All serve the same HTML page, whose script reads the path. */
export const pageContracts = paths.map((path) => contract({ method: 'GET', path, replies }))

/** Page paths of the API reference below `/docs`, which need no session. They serve the same HTML page. */
export const docsContracts = docsPaths.map((path) => contract({ method: 'GET', path, replies }))

/** A script, a style or an image of the page. */
export const assetContract = contract({
  method: 'GET',
  path: '/panel/assets/:name',
  params: Type.Object({ name: Type.String() }),
  replies: { 200: { content: { '*/*': Type.String() } } },
})
