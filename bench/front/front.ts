import { measureFlushes } from './flush.ts'
import { startEcho, startScripted } from './front-servers.ts'
import { measureGateways } from './gateways.ts'
import { loadFront, type Way } from './load-front.ts'
import { median, percentile } from '../load.ts'
import type { BenchResult } from '../findings.ts'
import type { BenchOptions } from '../options.ts'
import { cpuMs, loadCore, onCore, serverCore, type Server } from '../process.ts'
import { figure, progress, table } from '../report.ts'
import type { Service } from '../service.ts'

const warmUpRequests = 4000

/** Measures the overhead of the service: the scripted engine beside a bare echo server. */
export async function benchFront({ rounds }: BenchOptions): Promise<BenchResult> {
  const latency = await measureLatency(rounds)
  const throughput = await measureThroughput(rounds)
  const delays = [await measureLoopDelay(50), await measureLoopDelay(0)]
  const { markdown: gateways, findings } = await measureGateways(rounds)
  const markdown = [
    `One caller at a time, 1,000 requests a round, ${rounds} rounds; ms, medians over rounds (least–most). A reply waits until its entry`,
    'in the ledger is flushed to the disk; the last line writes and flushes the same bytes to a file.',
    '',
    latency,
    '',
    'One core for the server, another for the load; 5 s a round. The core is full at 100 %.',
    '',
    throughput,
    '',
    '64 concurrent streams for 10 s; the delay is `nodejs_eventloop_lag_*` of /metrics over that',
    'time, a timer of 10 ms, so that an idle process shows 10.1 at p50 and 10.7 at p99.',
    '',
    table(['Scripted tokens/s per stream', 'streams/s', 'p50, ms', 'p99, ms', 'max, ms'], delays),
    '',
    gateways,
  ].join('\n')
  return { markdown, findings }
}

async function measureLatency(rounds: number): Promise<string> {
  return withServers({}, async (echo, pipit) => {
    const contestants: {
      name: string
      server: Server
      way: Way
      p50s: number[]
      p99s: number[]
    }[] = [
      { name: 'node:http echo', server: echo, way: 'whole', p50s: [], p99s: [] },
      { name: 'Pipit, whole', server: pipit, way: 'whole', p50s: [], p99s: [] },
      { name: 'Pipit, streamed', server: pipit, way: 'streamed', p50s: [], p99s: [] },
    ]
    const flushes: { p50s: number[]; p99s: number[] } = { p50s: [], p99s: [] }
    for (const { server, way } of contestants)
      await loadFront(server, way, 1, { count: warmUpRequests })
    for (let round = 0; round < rounds; round++) {
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const { server, way, p50s, p99s } = contestant
        const { replies } = await loadFront(server, way, 1, { count: 1000 })
        const times = replies.map(({ startMs, endMs }) => endMs - startMs)
        p50s.push(median(times))
        p99s.push(percentile(times, 0.99))
      }
      const times = await measureFlushes(1000)
      flushes.p50s.push(median(times))
      flushes.p99s.push(percentile(times, 0.99))
      progress(`latency ${round + 1}/${rounds}`)
    }
    const bare = contestants[0]?.p50s ?? []
    const added = (p50s: number[]) => p50s.map((p50, round) => p50 - (bare[round] ?? NaN))
    const rows = contestants.map(({ name, p50s, p99s }, index) => [
      name,
      figure(p50s, 2),
      figure(p99s, 2),
      index === 0 ? '' : figure(added(p50s), 2),
    ])
    const flush = ['the disk alone, 32 KiB', figure(flushes.p50s, 2), figure(flushes.p99s, 2), '']
    return table(['', 'p50', 'p99', 'added at p50'], [...rows, flush])
  })
}

async function measureThroughput(rounds: number): Promise<string> {
  return onCore(loadCore, () =>
    withServers({ core: serverCore }, async (echo, pipit) => {
      const cases: {
        server: Server
        way: Way
        parallel: number
        rates: number[]
        busy: number[]
      }[] = [32, 64].flatMap((parallel) => [
        { server: echo, way: 'whole', parallel, rates: [], busy: [] },
        { server: pipit, way: 'whole', parallel, rates: [], busy: [] },
        { server: pipit, way: 'streamed', parallel, rates: [], busy: [] },
      ])
      for (const server of [echo, pipit]) await loadFront(server, 'whole', 32, { count: 5000 })
      for (let round = 0; round < rounds; round++) {
        for (const { server, way, parallel, rates, busy } of cases) {
          const startedMs = cpuMs(server.pid)
          const { replies, wallMs } = await loadFront(server, way, parallel, { durationMs: 5000 })
          rates.push((replies.length * 1000) / wallMs)
          busy.push(((cpuMs(server.pid) - startedMs) * 100) / wallMs)
        }
        progress(`throughput ${round + 1}/${rounds}`)
      }
      return table(
        ['', 'callers', 'requests/s', 'core used, %'],
        cases.map(({ server, way, parallel, rates, busy }) => [
          `${server.name}, ${way}`,
          String(parallel),
          figure(rates, 0),
          figure(busy, 0),
        ]),
      )
    }),
  )
}

async function measureLoopDelay(tokensPerSecond: number): Promise<string[]> {
  const pipit = await startScripted({ tokensPerSecond })
  const body = { max_tokens: 256 }
  try {
    await loadFront(pipit, 'streamed', 64, { count: 256 }, body)
    // Reading the metric starts its next measurement.
    await loopDelays(pipit)
    const { replies, wallMs } = await loadFront(pipit, 'streamed', 64, { durationMs: 10_000 }, body)
    const rate = (replies.length * 1000) / wallMs
    const delays = (await loopDelays(pipit)).map((ms) => ms.toFixed(1))
    const pace = tokensPerSecond === 0 ? 'as fast as possible' : String(tokensPerSecond)
    return [pace, rate.toFixed(0), ...delays]
  } finally {
    await pipit.stop()
  }
}

async function loopDelays({ metricsUrl }: Service): Promise<number[]> {
  const text = await (await fetch(metricsUrl)).text()
  return ['p50', 'p99', 'max'].map((part) => {
    const line = new RegExp(`^nodejs_eventloop_lag_${part}_seconds (\\S+)`, 'm').exec(text)
    return Number(line?.[1]) * 1000
  })
}

async function withServers(
  { core }: { core?: number },
  measure: (echo: Server, pipit: Service) => Promise<string>,
): Promise<string> {
  const echo = await startEcho(core)
  try {
    const pipit = await startScripted({ tokensPerSecond: 0, core })
    try {
      return await measure(echo, pipit)
    } finally {
      await pipit.stop()
    }
  } finally {
    await echo.stop()
  }
}
