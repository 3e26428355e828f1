import { Command } from 'commander'
import { loadDatabaseUrl, loadDataDir } from '../../config.ts'
import { StartError } from '../../errors.ts'
import {
  type TransferProgress,
  type TransferResult,
  transferToPostgres,
} from '../../storage/transfer/transfer.ts'
import { examples } from '../examples.ts'
import { fromUserFolder } from '../user-folder.ts'

type Options = { from?: string; to?: string; json?: true }

const progressMs = 1000

/** The `migrate` command, which copies everything from the database file to PostgreSQL. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description(
      'copy accounts, keys, users, usage and receipts to an empty PostgreSQL database;\nstop the service first, and run it again if it was interrupted',
    )
    .summary('copy the database to PostgreSQL')
    .option('--from <source>', 'sqlite:FILE or sqlite:DIRECTORY (default: PIPIT_DATA_DIR)')
    .option('--to <url>', 'postgres://… (default: PIPIT_DATABASE_URL)')
    .option('--json', 'print the counts and sums of each table as JSON')
    .addHelpText('after', examples('migrate --to postgres://pipit@db.example.com/pipit'))
    .action(migrate)
}

async function migrate({ from, to, json }: Options): Promise<void> {
  const startMs = performance.now()
  const target = to ?? loadDatabaseUrl(process.env)
  if (target === undefined)
    throw new StartError('Name the PostgreSQL database with --to or PIPIT_DATABASE_URL.')
  const result = await transferToPostgres({
    source: from === undefined ? loadDataDir(process.env) : pathOf(from),
    target,
    onProgress: progressWriter(),
    now: Date.now,
  })
  const rows = Object.values(result.tables).reduce((sum, table) => sum + table.rows, 0)
  const seconds = (performance.now() - startMs) / 1000
  if (json) console.log(JSON.stringify({ ...result, rows, seconds: round(seconds) }))
  else console.log(textOf(result, rows, seconds))
}

function pathOf(from: string): string {
  const path = /^sqlite:(.+)$/.exec(from)?.[1]
  if (path === undefined) throw new StartError('--from must have the form sqlite:PATH.')
  return fromUserFolder(path.replace(/^\/\/(?=\/)/, ''))
}

/** Returns a listener that prints progress at most once a second. */
function progressWriter(): (progress: TransferProgress) => void {
  const rows = new Map<string, number>()
  // Unset until the first row is written: before that, the source's rows are counted.
  let startMs: number | undefined
  let shownMs = performance.now()
  let all = 0
  return (progress) => {
    startMs ??= performance.now()
    const done = (rows.get(progress.table) ?? 0) + progress.rows
    rows.set(progress.table, done)
    all += progress.rows
    const nowMs = performance.now()
    if (nowMs - shownMs < progressMs) return
    shownMs = nowMs
    const perSecond = Math.round((1000 * all) / Math.max(1, nowMs - startMs))
    process.stderr.write(
      `${progress.table}: ${done} of ${progress.rowsTotal} rows, ${perSecond} rows/s\n`,
    )
  }
}

function textOf(
  { state, resumed, rowsWritten, writeMs, tables }: TransferResult,
  rows: number,
  seconds: number,
) {
  if (state === 'already') return `An earlier run has copied all ${rows} rows. Nothing was changed.`
  const perSecond = Math.round((1000 * rowsWritten) / Math.max(1, writeMs))
  const { prompt_tokens: prompt = '0', completion_tokens: completion = '0' } =
    tables['usage']?.sums ?? {}
  return [
    `Copied ${rowsWritten} rows in ${round(seconds)} s (${perSecond} rows/s)${resumed ? ', going on from an interrupted run' : ''}.`,
    `Both databases have ${rows} rows with equal counts, sums and digests; ${tables['usage']?.rows ?? 0} requests with ` +
      `${prompt} prompt and ${completion} completion tokens.`,
    'Start the service with PIPIT_DATABASE_URL and the same panel.secret in its data directory.',
  ].join('\n')
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
