const colours: Readonly<Record<string, string>> = {
  debug: '2',
  info: '36',
  warn: '33',
  error: '31',
}
const levels: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
}

/**
 * Formats a JSON log line for a person: time of day, level, message and fields. Stacks follow on separate lines.
 * Returns a line that is not JSON unchanged.
 */
export function prettyLine(line: string, isColoured: boolean): string {
  const record = parseRecord(line)
  if (record === undefined) return line
  const { level, time, msg, error, ...fields } = record
  const paint = (code: string, text: string) =>
    isColoured ? `\u001B[${code}m${text}\u001B[0m` : text
  const name = levels[Number(level)] ?? 'info'
  const parts = [
    paint('2', timeOfDay(String(time))),
    paint(colours[name] ?? '0', name.padEnd(5)),
    printable(String(msg)),
    ...Object.entries(fields).map(([field, value]) => paint('2', `${field}=${text(value)}`)),
  ]
  const causes = Array.isArray(error) ? error.map((one) => paint('2', causeText(one))) : []
  return `${[parts.join(' '), ...causes].join('\n')}\n`
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'msg' in value ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function timeOfDay(time: string): string {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return time
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Formats a value. Quotes texts with spaces, so that fields stay distinguishable. */
function text(value: unknown): string {
  const isBare = typeof value === 'string' && /^[^\s"=\p{Cc}]+$/u.test(value)
  return isBare ? value : printable(JSON.stringify(value))
}

/** Replaces control characters, with which a text from a model file could write over the terminal. */
function printable(given: string): string {
  return given.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')
}

function causeText(cause: unknown): string {
  const { message, stack } = Object(cause) as { message?: unknown; stack?: unknown }
  const lines = String(stack ?? message).split('\n')
  return lines.map((line) => `           ${printable(line.trimStart())}`).join('\n')
}
