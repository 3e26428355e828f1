import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { apiUrl, callApi, showUser } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

/** Replaces `fetch` by a stub that answers `{}`. Returns the list of requests made. */
function stubFetch() {
  const requests: [path: string, init: RequestInit | undefined][] = []
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    requests.push([path, init])
    return Promise.resolve(Response.json({}))
  })
  return requests
}

test('the name of an operation gives its method and its path', async () => {
  const requests = stubFetch()
  await callApi('POST /panel/api/keys/:id/rotate', {
    params: { id: 'a/b?' },
    body: { grace_ms: 0 },
  })
  await callApi('GET /panel/api/me')
  expect(requests).toMatchObject([
    ['/panel/api/keys/a%2Fb%3F/rotate', { method: 'POST', body: '{"grace_ms":0}' }],
    ['/panel/api/me', {}],
  ])
  expect(requests[1]?.[1]).not.toHaveProperty('method')
})

test('an operation without a body of its own is sent an empty object', async () => {
  const requests = stubFetch()
  await callApi('POST /panel/api/auth/sign-out')
  expect(requests).toMatchObject([['/panel/api/auth/sign-out', { method: 'POST', body: '{}' }]])
})

test('every request names the user whose data the tab shows', async () => {
  const requests = stubFetch()
  onTestFinished(() => showUser(undefined))
  showUser('user_1')
  await callApi('GET /panel/api/me')
  await callApi('POST /panel/api/auth/sign-out')
  showUser(undefined)
  await callApi('GET /panel/api/me')
  expect(requests.map(([, init]) => new Headers(init?.headers).get('pipit-user'))).toEqual([
    'user_1',
    'user_1',
    null,
  ])
})

test('parameters of a query that are not set are left out', () => {
  const query = { search: '', after: undefined, limit: 50 }
  expect(apiUrl('GET /panel/api/accounts', { query })).toBe('/panel/api/accounts?limit=50')
  expect(apiUrl('GET /panel/api/accounts')).toBe('/panel/api/accounts')
})

test('a call that disagrees with its contract does not compile', () => {
  const calls = [
    // @ts-expect-error the operation does not exist
    () => callApi('POST /panel/api/me'),
    // @ts-expect-error the path has a parameter
    () => callApi('GET /panel/api/keys/:id'),
    // @ts-expect-error keys cannot be sorted by size
    () => callApi('GET /panel/api/keys', { query: { sort: 'size' } }),
    // @ts-expect-error to_ms is missing
    () => callApi('GET /panel/api/usage', { query: { from_ms: 0 } }),
    // @ts-expect-error the field is called name
    () => callApi('POST /panel/api/keys', { body: { title: 'laptop' } }),
    // @ts-expect-error the response has no token
    async () => (await callApi('GET /panel/api/me')).token,
  ]
  expect(calls).toHaveLength(6)
})
