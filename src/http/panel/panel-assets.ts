import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { assetContract, pageContracts } from '../../protocol/operations/panel/pages.ts'
import { HttpReply } from '../reply/http-reply.ts'
import { operation, type PanelOperation, type RequestFacts } from '../operation.ts'

// Styles and scripts are files of the panel. Inline code, eval and other origins are forbidden.
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

/** Serves the output of tools/panel.mjs. Without it every page says that the panel is not built. */
export function panelAssetOperations(folder: string): PanelOperation[] {
  const open = { auth: 'panel' } as const
  const assets = new Set(namesIn(join(folder, 'assets')))
  const page = readPage(join(folder, 'index.html'))
  return [
    ...pageContracts.map((contract) =>
      operation(contract, open)(({ request }) => pageReply(request, page)),
    ),
    operation(
      assetContract,
      open,
    )(async ({ request, params: { name } }) => {
      const type = mediaTypes[extname(name)]
      if (!assets.has(name) || type === undefined) throw unknownAsset()
      return await assetReply(request, join(folder, 'assets', name), type)
    }),
  ]
}

type Page = { plain: Buffer; gzip: Buffer; br: Buffer; etag: string }

function readPage(file: string): Page | undefined {
  if (!existsSync(file)) return undefined
  const plain = readFileSync(file)
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`
  return { plain, gzip: readFileSync(`${file}.gz`), br: readFileSync(`${file}.br`), etag }
}

function pageReply(request: RequestFacts, page: Page | undefined) {
  const headers = { ...headersOfFiles, ...headersOfPages, 'cache-control': 'no-cache' }
  if (page === undefined)
    return new HttpReply(
      404,
      'The developer panel is not built. Run `npm run build` and restart the service.\n',
      { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    )
  // Weak, because it is the same for all encodings.
  const etag = `W/${page.etag}`
  if (request.headers['if-none-match'] === etag)
    return new HttpReply(304, undefined, { ...headers, etag })
  const encoding = encodingFor(request)
  return new HttpReply(200, page[encoding], {
    ...headers,
    ...encodingHeaders(encoding),
    etag,
    'content-type': 'text/html; charset=utf-8',
  })
}

/** An asset never changes: its name holds a hash of its content. */
async function assetReply(request: RequestFacts, file: string, type: string) {
  const encoding = encodingFor(request)
  const body = await readFile(file + endings[encoding]).catch((cause: unknown) => {
    throw unknownAsset(cause)
  })
  return new HttpReply(200, body, {
    ...headersOfFiles,
    ...encodingHeaders(encoding),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': type,
  })
}

function encodingHeaders(encoding: Encoding): { 'content-encoding'?: string } {
  return encoding === 'plain' ? {} : { 'content-encoding': encoding }
}

type Encoding = 'plain' | 'gzip' | 'br'
const endings = { plain: '', gzip: '.gz', br: '.br' } as const

/** Returns the smallest encoding that the browser accepts; `;q=0` excludes one. */
function encodingFor(request: RequestFacts): Encoding {
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
    'The panel has no such file. Reload the page: it may be older than the service.',
    { cause },
  )
}
