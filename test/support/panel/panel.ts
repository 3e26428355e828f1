import { createResetLink, type Link } from '../../../src/people/panel-accounts.ts'
import { createUser } from '../../../src/people/users.ts'
import type { Me } from '../../../src/protocol/panel-session.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import type { TestService } from '../service.ts'

export const admin = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  name: 'Ada',
}

export type Signed = Awaited<ReturnType<typeof signed>>

/** Set-up links that have made a first user. */
const usedLinks = new Set<string | undefined>()

/** Creates the first user with the set-up link. */
export async function setUp(service: TestService, user = admin): Promise<Signed> {
  const secret = service.setUpUrl?.split('#')[1] ?? ''
  const response = await postPanel(service, '/setup', { ...user, secret })
  usedLinks.add(service.setUpUrl)
  return await signed(service, response)
}

/** Signs in with e-mail and password. Creates the first user if there is none. */
export async function signIn(
  service: TestService,
  user: { email: string; password: string } = admin,
): Promise<Signed> {
  // Does not try to sign in first: even a refused attempt hashes the password, which takes longer than to start the
  // service.
  if (user === admin && service.setUpUrl !== undefined && !usedLinks.has(service.setUpUrl))
    return await setUp(service)
  const body = { email: user.email, password: user.password }
  const response = await postPanel(service, '/auth/sign-in/email', body)
  return await signed(service, response)
}

/** Creates another user, as the CLI does, and signs in. The service must have its first user. */
export async function addUser(
  service: Pick<TestService, 'url' | 'dataDir'> & Partial<Pick<TestService, 'databaseUrl'>>,
  user: { email: string; name: string; role?: 'admin' | 'member' },
): Promise<Signed> {
  const database = await openDatabase(service.dataDir, { url: service.databaseUrl })
  let link: Link
  try {
    const wanted = { role: 'member', ...user, passwordHash: undefined } as const
    const { id } = await createUser(database, wanted, Date.now())
    link = await createResetLink(database, id, service.url, Date.now())
  } finally {
    await database.close()
  }
  const password = `password of ${user.name}`
  await postPanel(service, '/reset-password', { secret: link.url.split('#')[1] ?? '', password })
  return await signed(
    service,
    await postPanel(service, '/auth/sign-in/email', { email: user.email, password }),
  )
}

/** Sends a request as a page of the panel does. */
export function postPanel(
  service: Pick<TestService, 'url'>,
  path: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${service.url}/panel/api${path}`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function signed(service: Pick<TestService, 'url'>, response: Response) {
  if (!response.ok) throw new Error(`no session: ${response.status} ${await response.text()}`)
  const cookie = cookiesOf(response)
  const get = (path: string) => fetch(`${service.url}/panel/api${path}`, { headers: { cookie } })
  const post = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    postPanel(service, path, body, { cookie, ...headers })
  const me = (await (await get('/me')).json()) as Me
  return { cookie, get, post, me }
}
