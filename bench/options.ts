import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

export type BenchOptions = {
  rounds: number
  /** Names or GGUF files, see `findModel`; if empty, the benchmark chooses its models. */
  models: string[]
  /** Numbers of concurrent requests. */
  parallel: number[]
  threads: number
}

type CommandLine = { name: string; section: string; save: boolean; options: BenchOptions }

export function parseCommandLine(args: string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      model: { type: 'string', multiple: true, default: [] },
      parallel: { type: 'string', default: '1,4,8,16' },
      threads: { type: 'string', default: String(availableParallelism()) },
      save: { type: 'boolean', default: false },
      section: { type: 'string' },
    },
  })
  const [name = ''] = positionals
  return {
    name,
    section: values.section ?? name,
    save: values.save,
    options: {
      rounds: count('rounds', values.rounds),
      models: values.model,
      parallel: values.parallel.split(',').map((callers) => count('parallel', callers)),
      threads: count('threads', values.threads),
    },
  }
}

function count(option: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${option} takes whole numbers above 0, not ${JSON.stringify(text)}`)
}
