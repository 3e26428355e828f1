import type { Status } from './read-status.ts'

const barCells = 16

/** Formats the state as lines for a person. */
export function statusText(status: Status, nowMs: number): string[] {
  const { ready, url, startedMs, slots, running, waiting, restarts, keys } = status
  const requests = `${count(status.completed)} completed, ${count(status.notCompleted)} not`
  const restarted = restarts === 0 ? '' : `, ${restarts} restarts of the engine`
  return [
    `Pipit at ${url} · up ${durationText(nowMs - startedMs)} · ${ready ? 'ready' : 'NOT READY: see its log'}`,
    '',
    row('slots', `${bar(running, slots)}  ${running} of ${slots} in use`),
    row('queue', `${waiting} waiting`),
    row(
      'speed',
      `${count(status.completionTokensPerSecond)} tokens/s written, ${count(status.promptTokensPerSecond)} tokens/s read`,
    ),
    row('requests', requests + restarted),
    row('tokens', `${count(status.completionTokens)} written, ${count(status.promptTokens)} read`),
    row('memory', `${(status.memoryBytes / 1e6).toFixed(0)} MB without the engine`),
    row('keys', `${keys.active} active`),
    ...keys.lastUsed.map(({ name, lastUsedMs }) =>
      row(
        '',
        `${name.padEnd(20)}  ${lastUsedMs === undefined ? 'never used' : `used ${agoText(nowMs - lastUsedMs)}`}`,
      ),
    ),
  ]
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`
}

function bar(part: number, whole: number): string {
  const cells = whole === 0 ? 0 : Math.min(barCells, Math.ceil((part / whole) * barCells))
  return '█'.repeat(cells) + '░'.repeat(barCells - cells)
}

function count(number: number): string {
  return number.toLocaleString('en', { maximumFractionDigits: number < 100 ? 1 : 0 })
}

/** Formats the time since a key's last use. The service writes the last use at most once a minute. */
function agoText(ms: number): string {
  return ms < 120_000 ? 'in the last two minutes' : `${durationText(ms)} ago`
}

function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}
