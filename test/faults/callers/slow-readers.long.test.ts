import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readLedger } from '../../support/journal/check-journal.ts'
import { openFiles, residentBytes } from '../../support/process.ts'
import { openSocket } from '../../support/raw-http.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'
import { slowReaderTimeoutMs, unreadBytesMax, unreadStreamTimeoutMs } from '../../../src/limits.ts'

const readers = 200
/** Memory that the service may use beside unread bytes: for the replies that it writes, and for garbage. */
const otherBytesMax = 192 * 1024 * 1024

type Address = { url: string; key: string; otherKey: string; dataDir: string; metricsUrl: string }

test('200 clients that read a byte a second or nothing are cut and billed, in bounded memory, beside a client that is served (F10, T14)', async () => {
  const script = fileURLToPath(new URL('large-replies.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const sockets: Socket[] = []
  const stop = new AbortController()
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const service = JSON.parse(line.toString()) as Address
    const pid = child.pid ?? 0
    const good = new GoodClient(service, stop.signal)
    await expect.poll(() => good.timesMs.length, { timeout: 20_000 }).toBeGreaterThan(20)
    const calm = good.takeTimes()
    const before = { bytes: residentBytes(pid), files: openFiles(pid) }

    const startedMs = performance.now()
    const drip = setInterval(() => sockets.forEach(readByte), 1000)
    // Opens one slow reader for each reply to the other client, because 200 slow ones at once would overload the
    // service.
    for (let i = 0; i < readers; i += 1) {
      sockets.push(readSlowly(service, i % 2 === 0))
      await good.next()
    }
    let mostBytes = 0
    const isOver = async () => {
      mostBytes = Math.max(mostBytes, residentBytes(pid))
      const ended = readLedger(service.dataDir).filter(({ stream }) => stream === 1)
      return ended.length === readers && openFiles(pid) <= before.files + 5
    }
    const timeout = slowReaderTimeoutMs + unreadStreamTimeoutMs + 60_000
    await expect
      .poll(isOver, { timeout, interval: 500 })
      .toBe(true)
      .finally(() => clearInterval(drip))
    const seconds = (performance.now() - startedMs) / 1000

    const beside = good.takeTimes()
    expect(good.failures).toEqual([])
    expect(beside.length).toBeGreaterThan(20)
    expect(mostBytes - before.bytes).toBeLessThan(unreadBytesMax + otherBytesMax)
    expect(await running(service)).toBe(0)
    const rows = readLedger(service.dataDir).filter(({ stream }) => stream === 1)
    expect(rows.filter(({ state }) => state !== 'final')).toEqual([])
    expect(rows.filter(({ completion_tokens: tokens }) => tokens === 0)).toEqual([])
    const cut = rows.filter(({ outcome }) => outcome === 'client_abort').length
    expect(cut).toBeGreaterThan(0)
    const percentile = (times: readonly number[], share: number) =>
      times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]?.toFixed(0)
    recordFinding(
      'F10',
      `${readers} clients read a byte a second or nothing of replies of 6.5 MB: ${cut} were cut before their end, the others once nothing had been read of their rest; all connections were gone after ${seconds.toFixed(0)} s, each entry is settled with its tokens. Memory grew by ${((mostBytes - before.bytes) / 2 ** 20).toFixed(0)} MiB at most. Another client sent ${beside.length} requests, all answered: p50 ${percentile(beside, 0.5)} ms, p99 ${percentile(beside, 0.99)} ms (before: ${percentile(calm, 0.5)} and ${percentile(calm, 0.99)} ms).`,
    )
  } finally {
    stop.abort()
    for (const socket of sockets) socket.destroy()
    child.stdin.end()
    await Promise.race([exited, delay(10_000)])
    child.kill('SIGKILL')
  }
}, 240_000)

/** Asks for a stream. Reads nothing of it if `never` is true, else one byte for each call of `readByte`. */
function readSlowly({ url, key }: Address, never: boolean): Socket {
  const socket = openSocket(url).on('error', () => {})
  const body = JSON.stringify({ ...question, max_tokens: 2048, stream: true })
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  if (never) socket.pause()
  // With a `readable` listener, a socket reads no more than its buffer of 64 KB until `read` is called.
  else socket.on('readable', () => {})
  return socket
}

function readByte(socket: Socket): void {
  if (!socket.isPaused() && socket.readable) socket.read(1)
}

async function running({ metricsUrl }: Address): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Number(/^pipit_requests_running (\S+)$/m.exec(text)?.[1])
}

/** Sends small requests one after another with the key of another account, until the signal aborts. */
class GoodClient {
  timesMs: number[] = []
  readonly failures: unknown[] = []
  readonly #url: string
  #wake = () => {}
  readonly #headers: Record<string, string>

  constructor({ url, otherKey }: Address, signal: AbortSignal) {
    this.#url = `${url}/v1/chat/completions`
    this.#headers = { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' }
    void this.#run(signal)
  }

  /** Resolves when the next request has ended. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  takeTimes(): number[] {
    return this.timesMs.splice(0)
  }

  async #run(signal: AbortSignal): Promise<void> {
    const body = JSON.stringify({ ...question, max_tokens: 1 })
    let isKnown = false
    while (!signal.aborted) {
      const startMs = performance.now()
      try {
        const init = { method: 'POST', headers: this.#headers, body, signal }
        const response = await fetch(this.#url, init)
        const { status } = response
        const text = await response.text()
        // The running service learns of a new key within a second.
        isKnown ||= status === 200
        if (status === 200) this.timesMs.push(performance.now() - startMs)
        else if (isKnown) this.failures.push([status, response.headers.get('x-drop-reason'), text])
      } catch (error) {
        if (!signal.aborted) this.failures.push(error)
      }
      this.#wake()
      await delay(20)
    }
  }
}
