import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { GoodClientSettings, GoodWindow } from './good-client.ts'

/**
 * Sends the same small request at a fixed rate, however late the responses are. A latency counts from the time at which
 * the request was due, so a stall delays every request that is due during it.
 */
const { url, key, body, intervalMs } = workerData as GoodClientSettings
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const bytes = Buffer.from(body)
const replyTimeoutMs = 60_000

type Running = GoodWindow & { left: number; isOver: boolean }
const newWindow = (): Running => ({
  latencies: [],
  delays: [],
  failures: {},
  left: 0,
  isOver: false,
})
let current = newWindow()
let dueMs = Date.now()

setInterval(() => {
  for (; dueMs <= Date.now(); dueMs += intervalMs) sendDue(current, dueMs)
}, intervalMs)

parentPort?.on('message', () => {
  current.isOver = true
  report(current)
  current = newWindow()
})

function sendDue(window: Running, startMs: number): void {
  window.left += 1
  let isSettled = false
  const settle = (outcome: number | string) => {
    if (isSettled) return
    isSettled = true
    const ms = Date.now() - startMs
    window.latencies.push(ms)
    if (ms > 200) window.delays.push({ startMs, ms })
    if (outcome !== 200) window.failures[outcome] = (window.failures[outcome] ?? 0) + 1
    window.left -= 1
    report(window)
  }
  const outgoing = request(`${url}/v1/chat/completions`, {
    method: 'POST',
    agent,
    timeout: replyTimeoutMs,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': bytes.length,
    },
  })
  outgoing.on('response', (response) => {
    response.resume()
    response.on('end', () => settle(response.statusCode ?? 0))
    response.on('close', () => settle('cut'))
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')))
  outgoing.on('error', (error) => settle('code' in error ? String(error.code) : error.message))
  outgoing.end(bytes)
}

function report(window: Running): void {
  if (!window.isOver || window.left > 0) return
  const { latencies, delays, failures } = window
  parentPort?.postMessage({ latencies, delays, failures } satisfies GoodWindow)
}
