import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postPanel, signIn, type Signed } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let ada: Signed
let listener: Server
let listenerUrl: string
let connections = 0
beforeAll(async () => {
  service = await startTestService()
  ada = await signIn(service)
  listener = createServer((_request, response) => response.end()).on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  listenerUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/x`
})
afterAll(async () => {
  listener.close()
  await service.close()
})

test('no field and no header makes the service open a connection to a URL (T30)', async () => {
  const url = listenerUrl
  const schema = { $id: url, $schema: url, $ref: url }
  const bodies: object[] = [
    { api_base: url, base_url: url, upstream: url, endpoint: url, webhook: url, callback_url: url },
    { metadata: { url }, user: url, model: url },
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { url } }] }] },
    { messages: [{ role: 'user', content: `![](${url}) <img src="${url}">` }] },
    { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } },
    { tools: [{ type: 'function', function: { name: 'x', parameters: schema } }] },
    { tools: [{ type: 'mcp', server_url: url }] },
  ]
  const statuses: number[] = []
  for (const body of bodies) {
    const response = await service.post({ ...question, ...body })
    statuses.push(response.status)
    await response.text()
  }
  const headers = ['referer', 'x-original-url', 'x-forwarded-host', 'forwarded', 'x-api-base']
  for (const name of headers)
    await (await service.post(question, { headers: { [name]: url } })).text()
  for (const field of ['callbackURL', 'image', 'redirectTo', 'url'])
    await (await postPanel(service, '/auth/sign-in/email', { [field]: url })).text()
  await (await ada.post('/keys', { name: 'x', webhook: url })).text()
  expect(statuses.every((status) => status === 200 || (status >= 400 && status < 500))).toBe(true)
  expect(connections).toBe(0)
  // Shows that the listener does count a connection.
  await (await fetch(url)).text()
  expect(connections).toBe(1)
})
