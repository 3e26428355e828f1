import { LoadClient, runLoad } from './load.ts'
import { findModel } from './engine/models.ts'
import type { BenchOptions } from './options.ts'
import { memoryOf, processTree, type Server } from './process.ts'
import { promptWriter } from './engine/prompts.ts'
import { progress, table } from './report.ts'
import { bundledModelPath, startPipit } from './service.ts'

const requests = 100_000
const requestsBetweenReadings = 10_000
const callers = 16
const promptWords = [1, 3, 12]
const maxTokens = [1, 2, 4]

/** Records the memory of both processes during 100,000 requests of several sizes. */
export async function benchSoak({ models, threads }: BenchOptions): Promise<string> {
  const { path: modelPath } = findModel(models[0] ?? 'bundled')
  const settings = modelPath === bundledModelPath ? {} : { PIPIT_MODEL: modelPath }
  const server = await startPipit({ settings: { ...settings, PIPIT_THREADS: String(threads) } })
  const client = new LoadClient(server, 'kept')
  const rows = [row(0, server)]
  const prompts = promptWriter('soak')
  const startMs = performance.now()
  try {
    for (let done = 0; done < requests; done += requestsBetweenReadings) {
      await runLoad(callers, { count: requestsBetweenReadings }, (index) => {
        const of = <T>(sizes: readonly T[]) => sizes[index % sizes.length] as T
        const messages = prompts(done + index, of(promptWords))
        const request = { messages, max_tokens: of(maxTokens) }
        return index % 2 === 0 ? client.stream(request) : client.complete(request)
      })
      rows.push(row(done + requestsBetweenReadings, server))
      progress(`${done + requestsBetweenReadings}/${requests}`)
    }
  } finally {
    client.close()
    await server.stop()
  }
  const seconds = (performance.now() - startMs) / 1000
  return [
    `${requests} requests in ${seconds.toFixed(0)} s, ${callers} at a time on kept connections, every second one streamed; prompts of`,
    `${promptWords.join(', ')} words, replies of up to ${maxTokens.join(', ')} tokens. RSS by process, MB: the front, the engine.`,
    '',
    table(['after requests', 'front', 'engine'], rows),
  ].join('\n')
}

function row(done: number, { pid }: Server): string[] {
  const megabytes = processTree(pid).map((one) => memoryOf(one).rssBytes / 1e6)
  return [String(done), ...megabytes.map((mb) => mb.toFixed(1))]
}
