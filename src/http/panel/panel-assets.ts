import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { PanelRoute } from '../route.ts'

/** What the panel shows, each under its own address: all are the one page, whose script reads the address. */
export const panelPages = [
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
  '/accounts',
  '/playground',
  '/quick-start',
]

// Styles and scripts are files of our own; nothing is inline, made from strings or from elsewhere.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headersOfPages = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
const headersOfFiles = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @param folder what tools/panel.mjs has built; without it every page says so */
export function panelAssetRoutes(folder: string): PanelRoute[] {
  const assets = new Set(namesIn(join(folder, 'assets')))
  const page = readPage(join(folder, 'index.html'))
  return [
    ...panelPages.map((url): PanelRoute => ({
      method: 'GET',
      url,
      auth: 'panel',
      handler: (request, reply) => sendPage(request, reply, page),
    })),
    {
      method: 'GET',
      url: '/panel/assets/:name',
      auth: 'panel',
      handler: (request, reply) => sendAsset(request, reply, join(folder, 'assets'), assets),
    },
  ]
}

type Page = { plain: Buffer; gzip: Buffer; br: Buffer; etag: string }

function readPage(file: string): Page | undefined {
  if (!existsSync(file)) return undefined
  const plain = readFileSync(file)
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`
  return { plain, gzip: readFileSync(`${file}.gz`), br: readFileSync(`${file}.br`), etag }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page | undefined) {
  reply.headers({ ...headersOfFiles, ...headersOfPages, 'cache-control': 'no-cache' })
  if (page === undefined)
    return reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send('The developer panel is not built here. Run `npm run build` and start again.\n')
  // The same for all encodings, so weak.
  const etag = `W/${page.etag}`
  reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const encoding = encodingFor(request)
  if (encoding !== 'plain') reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(page[encoding])
}

/** Their names hold a hash of what they hold, so they never change. */
async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  assets: ReadonlySet<string>,
) {
  const { name } = request.params as { name: string }
  const type = mediaTypes[extname(name)]
  if (!assets.has(name) || type === undefined) throw unknownAsset()
  const encoding = encodingFor(request)
  const body = await readFile(join(folder, name + endings[encoding])).catch((cause: unknown) => {
    throw unknownAsset(cause)
  })
  if (encoding !== 'plain') reply.header('content-encoding', encoding)
  return reply
    .headers({ ...headersOfFiles, 'cache-control': 'public, max-age=31536000, immutable' })
    .type(type)
    .send(body)
}

type Encoding = 'plain' | 'gzip' | 'br'
const endings = { plain: '', gzip: '.gz', br: '.br' } as const

/** The smallest that the browser reads; `;q=0` takes one away. */
function encodingFor(request: FastifyRequest): Encoding {
  const offers = String(request.headers['accept-encoding'] ?? '').split(',')
  const accepts = (name: string) =>
    offers.some((offer) => {
      const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim())
      return coding.toLowerCase() === name && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
    })
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : 'plain'
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function unknownAsset(cause?: unknown): ServiceError {
  return new ServiceError(
    'unknown_url',
    'There is no such file of the panel. Reload the page: it may be older than the service.',
    { cause },
  )
}
