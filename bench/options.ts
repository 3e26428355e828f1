import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

export type BenchOptions = {
  rounds: number
  /** Names or GGUF files, see `findModel`; if empty, the benchmark chooses its models. */
  models: string[]
  /** Numbers of concurrent requests. */
  parallel: number[]
  threads: number
  /** Engines of `overload`: `scripted`, `real`. */
  engines: string[]
  /** Services that `overload` measures; `fairness` is Pipit with a light and a heavy caller. */
  sides: string[]
  /** Length of each step of `overload`. */
  seconds: number
  /** Time for which `overload`'s clients wait for a whole reply. */
  patienceSeconds: number
  /** Length of `soak`. */
  minutes: number
  /** Folder of another built checkout, with which `turns` and `panel` compare this one. */
  against: string | undefined
  /** A `llama-server` of ik_llama.cpp, a further side of `engine`. */
  ikServer: string | undefined
}

const sidesKnown = ['pipit', 'llama-server', 'litellm', 'fairness']

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
      engine: { type: 'string', default: 'scripted,real' },
      sides: { type: 'string', default: sidesKnown.join() },
      seconds: { type: 'string', default: '60' },
      patience: { type: 'string', default: '30' },
      minutes: { type: 'string', default: '60' },
      against: { type: 'string' },
      'ik-server': { type: 'string' },
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
      engines: names('engine', values.engine, ['scripted', 'real']),
      sides: names('sides', values.sides, sidesKnown),
      seconds: count('seconds', values.seconds),
      patienceSeconds: count('patience', values.patience),
      minutes: count('minutes', values.minutes),
      against: values.against,
      ikServer: values['ik-server'],
    },
  }
}

function count(option: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${option} takes whole numbers above 0, not ${JSON.stringify(text)}`)
}

function names(option: string, text: string, known: readonly string[]): string[] {
  const wanted = text.split(',')
  if (wanted.every((name) => known.includes(name))) return wanted
  throw new Error(`--${option} takes ${known.join(', ')}, with commas between them, not ${text}`)
}
