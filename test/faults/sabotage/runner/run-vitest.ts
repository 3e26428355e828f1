import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

type TestResult = {
  /** Relative to the folder of the run. */
  readonly file: string
  /** The titles of the enclosing `describe` blocks, then the test's own. */
  readonly titles: readonly string[]
  readonly status: 'passed' | 'failed' | 'skipped'
  /** The first line of the error; empty for a test that did not fail. */
  readonly message: string
}

type TestRun = {
  readonly tests: readonly TestResult[]
  /** The reason why there are no results, or why a file could not be run; empty otherwise. */
  readonly fault: string
}

type RunOptions = {
  readonly folder: string
  readonly files: readonly string[]
  /** Runs only tests whose whole name contains this text. */
  readonly title?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

type Report = {
  testResults: {
    name: string
    message: string
    assertionResults: {
      ancestorTitles: string[]
      title: string
      status: string
      failureMessages: string[]
    }[]
  }[]
}

/** Runs test files of one project, long or default, and returns the result of each test. */
export async function runVitest(options: RunOptions): Promise<TestRun> {
  const { folder, files, title } = options
  const isLong = files.every((file) => file.endsWith('.long.test.ts'))
  const projects = isLong
    ? ['long', 'undisturbed']
    : ['default*', 'thorough', 'measuring', 'undisturbed', 'postgres']
  const out = mkdtempSync(join(tmpdir(), 'pipit-report-'))
  try {
    const report = join(out, 'report.json')
    const { output, timedOut } = await runProgram(
      [
        join(folder, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...files,
        ...projects.flatMap((name) => ['--project', name]),
        ...(title === undefined ? [] : ['--testNamePattern', escapePattern(title)]),
        '--reporter=json',
        `--outputFile=${report}`,
      ],
      options,
    )
    if (timedOut) return { tests: [], fault: `no result within ${options.timeoutMs / 1000} s` }
    return readReport(report, folder, output)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Runs Node with arguments; ends its whole process group on a timeout or when the signal is aborted. */
export async function runProgram(
  args: readonly string[],
  { folder, environment = {}, timeoutMs, signal }: Omit<RunOptions, 'files' | 'title'>,
): Promise<{ code: number | null; output: string; timedOut: boolean }> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Starts a process group of its own, so that services that the tests have started end with it.
    detached: true,
  })
  let output = ''
  const keep = (text: string) => (output = (output + text).slice(-100_000))
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process group has already ended.
    }
  }
  limit.addEventListener('abort', end)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => limit.removeEventListener('abort', end))
  // A test that failed may leave processes behind.
  end()
  signal.throwIfAborted()
  return { code, output, timedOut: limit.aborted }
}

function readReport(path: string, folder: string, output: string): TestRun {
  let report: Report
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return { tests: [], fault: `vitest wrote no report: ${output.trim().slice(-500)}` }
  }
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      file: relative(folder, name),
      titles: [...ancestorTitles.filter((one) => one !== ''), title],
      status: toStatus(status),
      message: firstLine(failureMessages[0] ?? '', folder),
    })),
  )
  const fault = report.testResults.map(({ message }) => message).find((text) => text !== '') ?? ''
  return { tests, fault: firstLine(fault, folder) }
}

function toStatus(status: string): TestResult['status'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped'
}

/** Returns the first line of an error, without colours, API keys and the folder of the run. */
function firstLine(text: string, folder: string): string {
  // oxlint-disable-next-line no-control-regex -- it removes colours
  const plain = text.replaceAll(/\u001B\[[\d;]*m/g, '')
  const [line = ''] = plain.split('\n')
  const named = line.replaceAll(`${folder}/`, '').replaceAll(/sk-pipit-\w+/g, 'sk-pipit-…')
  return named.slice(0, 300)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
