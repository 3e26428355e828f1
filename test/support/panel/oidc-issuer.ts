import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// The package has no types; this file declares the ones it uses.
// @ts-expect-error no types
import Provider from 'oidc-provider'

type IssuedPerson = {
  sub: string
  email: string
  email_verified: boolean | string | undefined
  name: string
}

type RunningProvider = {
  callback: () => (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished: (
    request: IncomingMessage,
    response: ServerResponse,
    result: { login: { accountId: string } },
  ) => Promise<void>
  Grant: new (of: { clientId: string; accountId: string }) => {
    addOIDCScope: (scope: string) => void
    save: () => Promise<string>
  }
}
type Context = { oidc: { client: { clientId: string }; session: { accountId: string } } }

export const client = { id: 'pipit', secret: 'the secret of the client' }

/** Starts a real OIDC issuer on a free port that signs in the person given to `send`. */
export async function startIssuer() {
  let person: IssuedPerson | undefined
  let provider: RunningProvider | undefined
  let statusBefore = 503
  const server = createServer((request, response) => {
    if (provider === undefined) return response.writeHead(statusBefore).end('{}')
    if (request.url?.startsWith('/interaction/') !== true)
      return provider.callback()(request, response)
    void provider.interactionFinished(request, response, {
      login: { accountId: person?.sub ?? '' },
    })
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    /** Sets the status with which the issuer answers all requests before it is open. Their body is useless. */
    answerBefore: (status: number) => {
      statusBefore = status
    },
    /** Makes the issuer accept requests; before, it refuses every request. */
    open: (redirectUrl: string) => {
      provider = createProvider(url, redirectUrl, () => person)
    },
    send: (one: IssuedPerson) => {
      person = one
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createProvider(
  url: string,
  redirectUrl: string,
  person: () => IssuedPerson | undefined,
): RunningProvider {
  const created = new Provider(url, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUrl] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the issuer'] },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => person() }),
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new (created as RunningProvider).Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  return created as RunningProvider
}

/** Follows redirects with cookies, as a browser does, to a page of the panel. */
export async function followRedirects(
  start: string,
  panelUrl: string,
  panelCookies: string,
): Promise<{ url: URL; cookie: string; visited: string[] }> {
  const jars = new Map([[new URL(panelUrl).host, new Map(parseCookies(panelCookies))]])
  let url = new URL(start)
  const visited: string[] = []
  for (let hop = 0; hop < 10; hop++) {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const isPanel = url.origin === panelUrl
    if (isPanel && !url.pathname.startsWith('/panel/api/')) return { url, cookie, visited }
    visited.push(url.href)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie())
      for (const [name, value] of parseCookies(set.split(';', 1)[0] ?? '')) jar.set(name, value)
    const to = response.headers.get('location')
    if (to === null) throw new Error(`${url.href}: ${response.status} ${await response.text()}`)
    url = new URL(to, url)
  }
  throw new Error('too many redirects')
}

function parseCookies(text: string): [string, string][] {
  return text
    .split('; ')
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
}
