import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { acceptEncodingCharsMax, panelAssetsKeptBytesMax } from '../../limits.ts'
import {
  assetContract,
  docsContracts,
  pageContracts,
} from '../../protocol/operations/panel/pages.ts'
import { HttpResponse } from '../reply/http-response.ts'
import { KeptFiles } from '../reply/kept-files.ts'
import { operation, type Operation, type RequestFacts } from '../operation.ts'

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

/** Responds with the panel's only HTML page. */
export type PanelPage = (request: RequestFacts) => ReturnType<typeof pageReply>

/** Reads the page from the output of tools/panel.mjs. If it is missing, every request gets a 404 that says so. */
export function readPanelPage(folder: string): PanelPage {
  const page = readPage(join(folder, 'index.html'))
  return (request) => pageReply(request, page)
}

/**
 * Serves the output of tools/panel.mjs. The API reference and the assets are the same for everyone, so they are served
 * under every host name, as the API is.
 */
export function panelAssetOperations(folder: string, page: PanelPage): Operation[] {
  const open = { auth: 'none' } as const
  const assets = new KeptFiles(join(folder, 'assets'), panelAssetsKeptBytesMax)
  return [
    ...pageContracts.map((contract) =>
      operation(contract, { auth: 'panel' } as const)(({ request }) => page(request)),
    ),
    ...docsContracts.map((contract) => operation(contract, open)(({ request }) => page(request))),
    operation(
      assetContract,
      open,
    )(async ({ request, params: { name } }) => {
      const type = mediaTypes[extname(name)]
      if (!assets.has(name) || type === undefined) throw unknownAsset()
      const encoding = encodingFor(request)
      const body = await assets.read(name + endings[encoding]).catch((cause: unknown) => {
        throw unknownAsset(cause)
      })
      return assetReply(body, type, encoding)
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
    return new HttpResponse(
      404,
      'The developer panel is not built. Run `npm run build` and restart the service.\n',
      { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    )
  // A weak ETag, because all encodings share it.
  const etag = `W/${page.etag}`
  if (request.headers['if-none-match'] === etag)
    return new HttpResponse(304, undefined, { ...headers, etag })
  const encoding = encodingFor(request)
  return new HttpResponse(200, page[encoding], {
    ...headers,
    ...encodingHeaders(encoding),
    etag,
    'content-type': 'text/html; charset=utf-8',
  })
}

/** An asset never changes: its name holds a hash of its content. */
function assetReply(body: Buffer, type: string, encoding: Encoding) {
  return new HttpResponse(200, body, {
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

/** Returns the smallest encoding that the browser accepts; `;q=0` excludes one. A header that is too long is not read. */
function encodingFor(request: RequestFacts): Encoding {
  const header = String(request.headers['accept-encoding'] ?? '')
  if (header.length > acceptEncodingCharsMax) return 'plain'
  const offers = header.split(',')
  const accepts = (name: string) =>
    offers.some((offer) => {
      const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim())
      return coding.toLowerCase() === name && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
    })
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : 'plain'
}

function unknownAsset(cause?: unknown): ServiceError {
  return new ServiceError(
    'unknown_url',
    'The panel has no such file. Reload the page: it may be older than the service.',
    { cause },
  )
}
