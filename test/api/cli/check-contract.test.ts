import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainFile } from '../../support/process.ts'

type Body = Record<string, unknown>
type Rule = { id: string; of: string; verdict: string; saw?: string }

const fields: Record<string, (value: unknown) => boolean> = {
  model: (value) => value === 'svc-o1-mini',
  messages: (value) => Array.isArray(value) && value.every(isMessage),
  max_tokens: (value) => Number.isInteger(value) && Number(value) <= 2048,
  temperature: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  stream: (value) => typeof value === 'boolean',
}

let count = 0

/** Keeps to the interface, and is as odd as it allows in all that it leaves open. */
const server = createServer((request, response) => void answer(request, response))
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

function isMessage(value: unknown): boolean {
  const { role, content } = value as Body
  return ['system', 'user', 'assistant'].includes(String(role)) && typeof content === 'string'
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  if (request.url !== '/v1/chat/completions' || request.method !== 'POST')
    return refuse(response, 404)
  if (request.headers.authorization !== 'Bearer k') return refuse(response, 403)
  let body: Body
  try {
    body = JSON.parse(text) as Body
  } catch {
    return refuse(response, 500)
  }
  const isValid = Object.entries(body).every(([name, value]) => fields[name]?.(value) ?? false)
  if (!isValid || body['model'] === undefined || body['messages'] === undefined)
    return refuse(response, 418)
  count += 1
  // Never says the same twice.
  const words = `word${count}`
  if (body['stream'] !== true) return sendWhole(response, words, body['max_tokens'] === 1)
  if (request.headers.accept !== 'text/event-stream') return refuse(response, 406)
  return stream(response, words)
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end('no')
}

function sendWhole(response: ServerResponse, content: string, isCut: boolean): void {
  const completion = {
    id: `C${count}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: 'svc-o1-mini',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content },
        finish_reason: isCut ? 'cut' : 'stop',
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 9 },
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(completion))
}

function stream(response: ServerResponse, content: string): void {
  const chunk = JSON.stringify({ choices: [{ delta: { content } }] })
  response
    .setHeader('content-type', 'text/event-stream')
    .end(`event: part\ndata: {"choices":[]}\n\nid: 7\ndata: ${chunk}\n\ndata: [DONE]\n\n`)
}

test('a service that does only what the interface says breaks no rule of the contract', async () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [mainFile, 'check', url, '--key', 'k', ...args]).catch(
      (error: { stdout: string }) => error,
    )
  const { rules } = JSON.parse((await run('--json')).stdout) as { rules: Rule[] }
  const ofContract = rules.filter(({ of }) => of === 'contract')
  expect(ofContract.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  expect(ofContract.length).toBeGreaterThan(25)
  expect((await run()).stdout).toMatch(/^FAIL {2}field {5}completion\.greedy {8}/m)
})
