import { contextTokensDefaultMax, slotsDefault } from '../src/limits.ts'
import { LoadClient, runLoad } from './load.ts'
import type { BenchOptions } from './options.ts'
import { findModel } from './engine/models.ts'
import { startLlamaServer, withoutPromptCache } from './peers/llama-server.ts'
import { memoryOf, processTree, type Server } from './process.ts'
import { promptWriter } from './engine/prompts.ts'
import { figure, progress, table } from './report.ts'
import { bundledModelPath, startPipit } from './service.ts'

const callers = 8
const requests = 64
const promptWords = [100, 1000]

/** Measures the time from the start of the process to ready, and the memory of all its processes. */
export async function benchStart({ rounds, models, threads }: BenchOptions): Promise<string> {
  const { path: modelPath } = findModel(models[0] ?? 'bundled')
  const settings = modelPath === bundledModelPath ? {} : { PIPIT_MODEL: modelPath }
  const [slots, contextTokens] = [slotsDefault, contextTokensDefaultMax]
  const setup = { threads, slots, contextTokens }
  const starts: [string, () => Promise<Server>][] = [
    ['Pipit', () => startPipit({ settings: { ...settings, PIPIT_THREADS: String(threads) } })],
    ['llama-server', () => startLlamaServer(modelPath, setup, withoutPromptCache)],
  ]
  const samples = new Map<string, Sample[]>(starts.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, start] of round % 2 === 0 ? starts : starts.toReversed()) {
      const sample = await measure(start)
      samples.get(name)?.push(sample)
      progress(`${name}: ready after ${sample.readyMs.toFixed(0)} ms, ${sample.loaded.parts} MB`)
    }
  }
  const rows = [...samples].map(([name, taken]) => {
    const cell = (value: (sample: Sample) => number) => figure(taken.map(value), 0)
    return [
      name,
      cell(({ readyMs }) => readyMs),
      cell(({ idle }) => idle.rssMb),
      cell(({ loaded }) => loaded.rssMb),
      cell(({ loaded }) => loaded.pssMb),
      taken.at(-1)?.loaded.parts ?? '',
    ]
  })
  const head = [
    '',
    'ready, ms',
    'RSS at start, MB',
    'RSS after load',
    'PSS after load',
    'by process',
  ]
  return [
    `Median of ${rounds} starts (least–most), the files in the page cache (${slots} slots of`,
    `up to ${contextTokens} tokens, ${threads} threads). Load: ${requests} requests, ${callers} at a time, half of them with a`,
    `prompt of ${promptWords.join(' and half of ')} words. RSS is the sum over all processes, shared pages counted twice.`,
    '',
    table(head, rows),
  ].join('\n')
}

type Sample = { readyMs: number; idle: MemorySum; loaded: MemorySum }
type MemorySum = { rssMb: number; pssMb: number; parts: string }

async function measure(start: () => Promise<Server>): Promise<Sample> {
  const server = await start()
  const client = new LoadClient(server, 'fresh')
  try {
    const idle = memorySum(server)
    const prompts = promptWriter('start')
    await runLoad(callers, { count: requests }, (index) => {
      const messages = prompts(index, promptWords[index % 2] ?? 0)
      return client.stream({ messages, max_tokens: 128 })
    })
    return { readyMs: server.readyMs, idle, loaded: memorySum(server) }
  } finally {
    client.close()
    await server.stop()
  }
}

function memorySum({ pid }: Server): MemorySum {
  const memories = processTree(pid).map(memoryOf)
  const megabytes = memories.map(({ rssBytes }) => rssBytes / 1e6)
  return {
    rssMb: megabytes.reduce((sum, mb) => sum + mb, 0),
    pssMb: memories.reduce((sum, { pssBytes }) => sum + pssBytes / 1e6, 0),
    parts: megabytes.map((mb) => mb.toFixed(0)).join(' + '),
  }
}
