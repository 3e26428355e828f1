import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postPanel, signIn, type Signed } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const texts = [
  "' OR '1'='1",
  "'; drop table usage; --",
  "x' union select digest from api_keys --",
  '1); delete from api_keys; --',
  '" or ""="',
  "admin'/*",
  "\\'; attach database 'x' as y; --",
  "%' escape '\\",
  '?1',
  ':name',
]

let service: TestService
let ada: Signed
beforeAll(async () => {
  service = await startTestService()
  ada = await signIn(service)
})
afterAll(() => service.close())

test('SQL in a credential, a field, a query or a path is text like any other (T6)', async () => {
  const before = schemaOf()
  for (const text of texts) {
    const encoded = encodeURIComponent(text)
    const responses = [
      await service.request('/v1/key', { headers: {}, key: text.replaceAll(/[^\x20-\x7e]/g, '') }),
      await service.request(`/v1/requests/${encoded}`),
      await service.request(`/v1/requests?after=${encoded}`),
      await service.request(`/v1/models/${encoded}`),
      await service.post({ ...question, user: text, metadata: { [text]: text } }),
      await service.post(question, { headers: { 'idempotency-key': encoded } }),
      await ada.get(`/keys?search=${encoded}`),
      await ada.get(`/requests?key=${encoded}&status=${encoded}`),
      await ada.post('/keys', { name: text }),
      await ada.post(`/keys/${encoded}`, { name: 'x' }),
      await ada.post('/invites', { email: `${text}@example.com`, role: 'member' }),
      await postPanel(service, '/auth/sign-in/email', { email: text, password: text }),
    ]
    for (const [index, response] of responses.entries()) {
      const body = await response.text()
      expect([text, index, response.status < 500, body]).toEqual([text, index, true, body])
      expect(body).not.toMatch(/sqlite|syntax error|no such column/i)
    }
  }
  // The names come back as they were sent, and no table has changed.
  const { data } = (await (await ada.get('/keys?limit=100')).json()) as { data: { name: string }[] }
  expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(texts))
  expect(schemaOf()).toEqual(before)
})

function schemaOf(): unknown[] {
  const database = new BetterSqlite3(join(service.dataDir, 'pipit.db'), { readonly: true })
  try {
    return database.prepare('select name, sql from sqlite_schema order by name').all()
  } finally {
    database.close()
  }
}
