import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuMs } from './process.ts'

/** Describes the machine, the versions and other running programs. */
export async function describeRun(command: string): Promise<string> {
  const [oneMinute = 0] = loadavg()
  const others = await otherWork()
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0)
  return [
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC: \`${command}\``,
    `- ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${gibibytes} GiB; Node ${process.versions.node}; llama.cpp ${llamaRelease()}`,
    `- Load average before the run ${oneMinute.toFixed(2)}; other work: ${others || 'none'}.`,
  ].join('\n')
}

/** Lists programs that use more than 3 % of a core during one second. */
async function otherWork(): Promise<string> {
  const before = processTimes()
  const sampleMs = 1000
  await delay(sampleMs)
  return [...processTimes()]
    .map(([pid, { name, ms }]) => ({
      pid,
      name,
      share: (ms - (before.get(pid)?.ms ?? ms)) / sampleMs,
    }))
    .filter(({ pid, share }) => share > 0.03 && pid !== process.pid)
    .map(({ name, share }) => `${name} ${(share * 100).toFixed(0)} %`)
    .join(', ')
}

function processTimes(): Map<number, { name: string; ms: number }> {
  const times = new Map<number, { name: string; ms: number }>()
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      times.set(pid, { name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), ms: cpuMs(pid) })
    } catch {
      // The process ended after the folder was listed.
    }
  }
  return times
}

function llamaRelease(): string {
  const info = new URL('../node_modules/node-llama-cpp/llama/llama.cpp.info.json', import.meta.url)
  return (JSON.parse(readFileSync(info, 'utf8')) as { tag: string }).tag
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Formats the median and the spread: `12.3`, or `12.3 (11.9–13.0)` for several values. */
export function figure(values: readonly number[], digits = 1): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [least = NaN, middle = NaN, most = NaN] = [
    sorted[0],
    sorted[Math.floor(sorted.length / 2)],
    sorted.at(-1),
  ]
  if (sorted.length < 2) return middle.toFixed(digits)
  return `${middle.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`
}

export function progress(what: string): void {
  process.stderr.write(`${what}\n`)
}

/** Replaces the block of one benchmark in RESULTS.md; text around the blocks stays. */
export function saveResults(name: string, markdown: string): void {
  const file = fileURLToPath(new URL('RESULTS.md', import.meta.url))
  const [begin, end] = [`<!-- ${name} begins -->`, `<!-- ${name} ends -->`]
  const old = readFileSync(file, 'utf8')
  const block = `${begin}\n${markdown}\n${end}`
  const from = old.indexOf(begin)
  const to = old.indexOf(end)
  const text =
    from < 0
      ? `${old.trimEnd()}\n\n## ${name}\n\n${block}\n`
      : old.slice(0, from) + block + old.slice(to + end.length)
  writeFileSync(file, text)
}
