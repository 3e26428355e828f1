import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationServices } from '../../../src/http/operation.ts'
import { panelAssetOperations, readPanelPage } from '../../../src/http/panel/panel-assets.ts'
import { panelAssetsKeptBytesMax } from '../../../src/limits.ts'
import { panelFolder } from '../../../src/paths.ts'
import { pageContracts } from '../../../src/protocol/operations/panel/pages.ts'
import { firstLoads } from '../../../tools/panel.mjs'
import { startTestService, type TestService } from '../../support/service.ts'

const firstLoadBytesMax = 180_000
const panelPages = pageContracts.map(({ path }) => path)

let service: TestService
beforeAll(async () => {
  if (!existsSync(join(panelFolder, 'index.html'))) throw new Error('Run `npm run build` first.')
  service = await startTestService()
})
afterAll(() => service.close())

type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/** Sends a request and returns the bytes as sent; `fetch` would decompress them. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(service.url + path, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
        }),
      )
    })
    request.once('error', reject).end()
  })
}

async function assetPaths(): Promise<string[]> {
  const html = (await get('/')).body.toString()
  return [...html.matchAll(/(?:src|href)="(\/panel\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
}

test.each([
  ['/panel', '/'],
  ['/panel/', '/'],
  ['/login', '/sign-in'],
  ['/login?next=%2Fusage', '/sign-in?next=%2Fusage'],
  ['/playground/', '/playground'],
  ['/requests/req_x/', '/requests/req_x'],
])('%s redirects to %s', async (path, to) => {
  const { status, headers } = await get(path)
  expect([status, headers.location]).toEqual([302, to])
})

test('nothing redirects to another host, and other methods and addresses do not redirect', async () => {
  expect((await get('/login', {}, 'POST')).status).toBe(404)
  for (const path of [
    '//evil.example/',
    '/\\evil.example/',
    '/nothing/',
    '/toString',
    '/v1/models/',
  ])
    expect([path, (await get(path)).headers.location]).toEqual([path, undefined])
})

describe('a page of the panel', () => {
  test('is the same document under every address of the panel, and other addresses get 404', async () => {
    const { body } = await get('/')
    for (const url of panelPages) {
      const page = await get(url.replace(':id', 'req_x'))
      expect([url, page.status, page.headers['content-type']]).toEqual([
        url,
        200,
        'text/html; charset=utf-8',
      ])
      expect(page.body.equals(body)).toBe(true)
    }
    for (const path of ['/key', '/keys/x/', '/index.html', '/v1', '/v1/keys']) {
      const { status, headers } = await get(path)
      expect([path, status, headers['content-type']]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ])
    }
  })

  test('forbids inline scripts and styles, code from strings and content of other origins (T31)', async () => {
    for (const url of panelPages) {
      const { headers } = await get(url.replace(':id', 'req_x'))
      expect(headers).toMatchObject({
        'content-security-policy': [
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
        ].join('; '),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy':
          'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
    }
    const html = (await get('/')).body.toString()
    expect(html).not.toMatch(/<style|style=|<script>|\son\w+=/)
    expect(html.match(/(?:src|href)="(?!\/panel\/assets\/)/)).toBeNull()
  })

  test('is revalidated each time, and not sent again when it is unchanged', async () => {
    const { headers } = await get('/keys')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get('/keys', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('names the build command when the panel is not built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipit-no-panel-'))
    const app = Fastify()
    try {
      const checks = { isAllowedHost: () => true } as unknown as OperationServices
      for (const operation of panelAssetOperations(folder, readPanelPage(folder)))
        operation.mount(app, checks)
      const reply = await app.inject('/keys')
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([
        404,
        'text/plain; charset=utf-8',
      ])
      expect(reply.body).toContain('npm run build')
    } finally {
      await app.close()
      await rm(folder, { recursive: true })
    }
  })
})

describe('a file of the panel', () => {
  test('is cached forever, has its content type, and is closed to other origins', async () => {
    const paths = await assetPaths()
    expect(new Set(paths.map((path) => path.split('.').at(-1)))).toEqual(
      new Set(['css', 'js', 'svg']),
    )
    for (const path of paths) {
      const { status, headers } = await get(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-type': expect.stringMatching(
          /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
        ),
        vary: 'accept-encoding',
      })
    }
  })

  test('is compressed as the Accept-Encoding header asks', async () => {
    for (const path of ['/keys', ...(await assetPaths())]) {
      const plain = await get(path)
      const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
      const gzip = await get(path, { 'accept-encoding': 'gzip, br;q=0' })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([
        'br',
        'gzip',
      ])
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
      const head = await get(path, {}, 'HEAD')
      expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
        200,
        0,
        String(plain.body.length),
      ])
    }
  })

  test('is sent uncompressed if the Accept-Encoding header is very long', async () => {
    for (const path of ['/keys', ...(await assetPaths())]) {
      const { status, headers } = await get(path, {
        'accept-encoding': `gzip${','.repeat(15_000)}`,
      })
      expect([status, headers['content-encoding']]).toEqual([200, undefined])
    }
  })

  test('that does not exist gets 404, also with path tricks in its name', async () => {
    const [script = ''] = await assetPaths()
    for (const path of [
      '/panel/assets/nothing.js',
      '/panel/assets/',
      `${script}.gz`,
      `${script}/`,
      '/panel/assets/..%2findex.html',
      '/panel/assets/%2e%2e%2f.vite%2fmanifest.json',
      '/panel/assets/../.vite/manifest.json',
      '/panel/.vite/manifest.json',
      '/panel/assets/__proto__',
    ]) {
      const { status, headers, body } = await get(path)
      expect([path, status, headers['content-type']]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ])
      expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'unknown_url' } })
    }
  })
})

test('the service keeps all files of the panel in memory, in every encoding', () => {
  const folder = join(panelFolder, 'assets')
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(panelAssetsKeptBytesMax)
})

test('no page loads more than 180 kB of JavaScript before it is usable', () => {
  const loads = firstLoads(panelFolder)
  expect(loads.length).toBeGreaterThanOrEqual(13)
  expect(loads.filter(({ bytes }) => bytes > firstLoadBytesMax)).toEqual([])
})
