import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { loadDataDir } from '../../config.ts'
import type { Database } from '../../storage/database.ts'
import { commandLine } from '../../paths.ts'
import { listenForStop } from '../stop-signals.ts'
import { withDatabase } from '../with-database.ts'
import { readKeys, readSample, type Status, toStatus } from './read-status.ts'
import { statusText } from './status-text.ts'

type Options = { once?: true; json?: true }

const refreshMs = 1_000
/** The keys are read again after this number of refreshes. */
const keysEvery = 5
const keysShownMax = 8
/** Number of refreshes over which the speed is averaged. */
const averagedSamples = 5

/** The `status` command, which shows what the service on the data directory is doing. */
export function statusCommand(): Command {
  return new Command('status')
    .description('show what the running service does: slots, queue, tokens per second, keys')
    .summary('show what the running service does')
    .option(
      '--once',
      'print once instead of refreshing; the default without a terminal, except with --json',
    )
    .option('--json', 'print JSON, one line per second unless --once is given')
    .addHelpText(
      'after',
      `
Examples:
  ${commandLine} status                  refreshes, Ctrl-C ends
  ${commandLine} status --once --json    for scripts

Exit code: 1 if no service runs on PIPIT_DATA_DIR.`,
    )
    .action(status)
}

async function status({ once, json }: Options): Promise<void> {
  const dataDir = loadDataDir(process.env)
  const never = new AbortController().signal
  // Checked before the database is opened, because opening would create it.
  await readSample(dataDir, never)
  await withDatabase(async (database) => {
    if (once !== undefined || (json === undefined && !process.stdout.isTTY)) {
      const show = json === undefined ? printText : printJson
      for await (const state of states(dataDir, database, never)) return show(state)
      return
    }
    const stopping = listenForStop()
    process.stdout.on('error', () => stopping.stop())
    const all = states(dataDir, database, stopping.signal)
    try {
      if (json === undefined) await refreshInPlace(all)
      else for await (const state of all) printJson(state)
    } catch (error) {
      if (!stopping.signal.aborted) throw error
    }
  })
}

/**
 * Yields the state after each second.
 * @throws StartError if the service has stopped
 * @throws Error if the signal aborts
 */
async function* states(
  dataDir: string,
  database: Database,
  signal: AbortSignal,
): AsyncGenerator<Status> {
  const samples = [await readSample(dataDir, signal)]
  let keys = await readKeys(database, keysShownMax)
  for (let turn = 1; ; turn++) {
    await delay(refreshMs, undefined, { signal })
    const now = await readSample(dataDir, signal)
    if (turn % keysEvery === 0) keys = await readKeys(database, keysShownMax)
    yield toStatus(samples[0] ?? now, now, keys)
    samples.push(now)
    if (samples.length > averagedSamples) samples.shift()
  }
}

function printJson(state: Status): void {
  console.log(JSON.stringify(state))
}

function printText(state: Status): void {
  console.log(statusText(state, Date.now()).join('\n'))
}

async function refreshInPlace(all: AsyncIterable<Status>): Promise<void> {
  const { stdout } = process
  let shown = 0
  const restore = () => void stdout.write('\u001B[?7h\u001B[?25h')
  // A second Ctrl-C ends the process at once.
  process.once('exit', restore)
  // Hides the cursor, and turns wrapping off: clipping counts characters, and some fill two columns.
  stdout.write('\u001B[?25l\u001B[?7l')
  try {
    for await (const state of all) {
      // The size is 0 if the terminal does not report it.
      const [rows, columns] = [stdout.rows || Infinity, stdout.columns || Infinity]
      // Clips the text, because a line that wraps or a screen that scrolls would leave parts of the previous state.
      const lines = statusText(state, Date.now())
        .slice(0, Math.max(1, rows - 1))
        .map((line) => line.slice(0, columns - 1))
      const back = shown === 0 ? '' : `\u001B[${shown}A`
      stdout.write(`${back}\u001B[0J${lines.join('\n')}\n`)
      shown = lines.length
    }
  } finally {
    process.off('exit', restore)
    restore()
  }
}
