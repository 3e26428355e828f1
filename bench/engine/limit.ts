import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from '../load.ts'
import type { Model } from './models.ts'
import { findModel } from './models.ts'
import type { BenchOptions } from '../options.ts'
import { llamaProgram } from '../peers/llama-server.ts'
import { figure, progress, table } from '../report.ts'

const promptTokens = 512
const completionTokens = 128
const ownModels = ['tiny', 'small', 'mini', 'bundled']

/** Measures the limits of the machine: memory bandwidth, and llama.cpp without a server. */
export async function benchLimit({ rounds, threads, models }: BenchOptions): Promise<string> {
  const bandwidths = readBandwidth(threads, rounds)
  const bandwidth = median(bandwidths)
  const wanted = models.length > 0 ? models : ownModels
  const rows = wanted.map(findModel).map((model) => {
    const { bytes, prefill, decode } = runLlamaBench(model, threads, rounds)
    const allowed = (bandwidth * 1e9) / bytes
    return [
      model.name,
      (bytes / 1e6).toFixed(1),
      allowed.toFixed(0),
      figure(decode, 0),
      `${((median(decode) / allowed) * 100).toFixed(0)} %`,
      figure(prefill, 0),
    ]
  })
  return [
    `${threads} threads read memory at ${figure(bandwidths)} GB/s (\`read-bandwidth.cc\`, ${rounds} rounds). A token of a single sequence reads all weights once,`,
    `which limits its speed. More than 100 % means that the processor's caches hold weights. The KV cache is not counted.`,
    `\`llama-bench -p ${promptTokens} -n ${completionTokens} -t ${threads} -r ${rounds}\`; tokens/s, median (least–most).`,
    '',
    table(
      [
        '',
        'weights, MB',
        'memory allows',
        `tg${completionTokens}`,
        'of what memory allows',
        `pp${promptTokens}`,
      ],
      rows,
    ),
  ].join('\n')
}

/** Returns the bandwidth of each round in GB/s. */
function readBandwidth(threads: number, rounds: number): number[] {
  const program = buildReader()
  progress(`reading memory with ${threads} threads`)
  const output = execFileSync(program, [String(threads), String(rounds)], { encoding: 'utf8' })
  return output.trim().split('\n').map(Number)
}

function buildReader(): string {
  const source = fileURLToPath(new URL('read-bandwidth.cc', import.meta.url))
  const mark = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 8)
  const cache = fileURLToPath(new URL('../.cache', import.meta.url))
  const program = `${cache}/read-bandwidth-${mark}`
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const flags = ['-O3', '-march=native', '-std=c++17', '-pthread']
  execFileSync('g++', [...flags, source, '-o', `${program}.new`], { stdio: ['ignore', 2, 2] })
  renameSync(`${program}.new`, program)
  return program
}

type LlamaBench = { bytes: number; prefill: number[]; decode: number[] }

function runLlamaBench(model: Model, threads: number, rounds: number): LlamaBench {
  progress(`${model.name}: llama-bench`)
  const output = execFileSync(
    llamaProgram('llama-bench'),
    [
      ['-m', model.path, '-o', 'json'],
      ['-p', promptTokens, '-n', completionTokens, '-t', threads, '-r', rounds],
    ]
      .flat()
      .map(String),
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] },
  )
  const tests = JSON.parse(output) as { model_size: number; n_gen: number; samples_ts: number[] }[]
  const speeds = (isDecode: boolean) =>
    tests.find((test) => test.n_gen > 0 === isDecode)?.samples_ts ?? []
  return { bytes: tests[0]?.model_size ?? NaN, prefill: speeds(false), decode: speeds(true) }
}
