import { formatBytes } from '../../engine/format-bytes.ts'
import { TransferSpeed } from '../../models/hub/transfer-speed.ts'
import type { PullListener, PullPlan } from '../../models/pull.ts'

const redrawMs = 200
/** Minimum time between two plain lines, for a log or a pipe. */
const lineMs = 10_000
const barColumns = 24

/** Shows the progress of a download: on a terminal as one redrawn line, otherwise as a plain line now and then. */
export class PullProgress implements PullListener {
  readonly #output: NodeJS.WriteStream
  #totalBytes: number | undefined
  #bytes = 0
  readonly #speed = new TransferSpeed()
  #shownMs = -Infinity

  constructor(output: NodeJS.WriteStream) {
    this.#output = output
  }

  onCheck(name: string): void {
    this.#output.write(`Checking the files of ${name}, which are there …\n`)
  }

  onPlan({ name, source, quantisation, licence, bytes, files }: PullPlan): void {
    this.#totalBytes = bytes
    if (!this.#output.isTTY) this.#shownMs = performance.now()
    const facts = [
      quantisation,
      bytes === undefined ? 'unknown size' : formatBytes(bytes),
      files.length > 1 ? `${files.length} files` : undefined,
      licence === undefined ? undefined : `licence ${licence}`,
    ]
    const text = facts.filter((fact) => fact !== undefined).join(', ')
    this.#output.write(`Pulling ${name} from ${source.replace(/@[0-9a-f]+$/, '')}: ${text}\n`)
  }

  onBytes(bytes: number): void {
    const ms = performance.now()
    this.#speed.add(bytes, ms)
    this.#bytes = bytes
    const isEnd = this.#output.isTTY && bytes === this.#totalBytes
    if (ms - this.#shownMs < (this.#output.isTTY ? redrawMs : lineMs) && !isEnd) return
    this.#show(ms)
  }

  onPause(cause: string, pauseMs: number): void {
    this.#write(`${cause}; trying again in ${Math.ceil(pauseMs / 1000)} s`)
    if (this.#output.isTTY) this.#output.write('\n')
  }

  /** Ends the redrawn line. */
  end(): void {
    if (this.#output.isTTY && this.#shownMs > 0) this.#output.write('\n')
  }

  #show(ms: number): void {
    this.#shownMs = ms
    const speed = this.#speed.bytesPerSecond
    const parts = [
      this.#totalBytes === undefined
        ? formatBytes(this.#bytes)
        : `${formatBytes(this.#bytes)} of ${formatBytes(this.#totalBytes)}`,
      ...(speed === undefined ? [] : [`${formatBytes(speed)}/s`]),
      ...(speed === undefined || this.#totalBytes === undefined || this.#bytes >= this.#totalBytes
        ? []
        : [`${duration((this.#totalBytes - this.#bytes) / speed)} left`]),
    ]
    this.#write(`${this.#bar()}${parts.join('  ')}`)
  }

  #write(text: string): void {
    if (!this.#output.isTTY) this.#output.write(`${text}\n`)
    // Also clears the rest of the line, because the previous text may have been longer.
    else this.#output.write(`\r${text.slice(0, (this.#output.columns || 80) - 1)}\u001B[K`)
  }

  #bar(): string {
    if (this.#totalBytes === undefined) return ''
    const share = Math.min(1, this.#bytes / this.#totalBytes)
    const percent = `${Math.floor(share * 100)} %`.padStart(5)
    if (!this.#output.isTTY) return `${percent}  `
    const filled = Math.round(share * barColumns)
    return `[${'='.repeat(filled)}${' '.repeat(barColumns - filled)}] ${percent}  `
  }
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
