import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { packageRoot as root } from '../../src/paths.ts'
import { rerunFailedFiles } from './flaky.mjs'
import { printReport } from './report.mjs'
import { type Failure, type Outcome, type Results, runStep, type Step } from './run-step.mjs'
import { schedule } from './schedule.mjs'
import { fullSteps, landingSteps } from './steps.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pipit-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { signal } = new AbortController()
const stepOf = (name: string, rest: Partial<Step> = {}): Step => ({
  name,
  commands: [],
  minutes: 1,
  ...rest,
})
const outcomeOf = (status: Outcome['status'], rest: Partial<Outcome> = {}): Outcome => ({
  status,
  seconds: 7,
  log: join(folder, 'step.log'),
  text: 'the output\n',
  ...rest,
})
const failure: Failure = {
  file: 'test/a.test.ts',
  line: 12,
  title: 'a reply ends',
  message: 'expected 1 to be 2',
  project: 'default',
  notes: ['the log of the service:\nengine ended'],
}
const resultsOf = (failed: Failure[]): Results => ({
  passed: 3,
  failed,
  skipped: { 'chromium is missing': 2 },
  isBroken: false,
})

describe('the schedule', () => {
  test('starts a step after those that it needs, and never more than the cores allow', async () => {
    const running = new Set<string>()
    const seen: string[] = []
    const steps = [
      stepOf('install', { cores: 0 }),
      stepOf('both', { cores: 2, needs: ['install'] }),
      stepOf('one', { needs: ['install'] }),
      stepOf('other', { needs: ['install'] }),
    ]
    await schedule(
      steps,
      2,
      async ({ name }) => {
        running.add(name)
        seen.push([...running].join('+'))
        await Promise.resolve()
        running.delete(name)
        return outcomeOf('passed')
      },
      signal,
    )
    expect(seen).toEqual(['install', 'both', 'one', 'one+other'])
  })

  test('starts nothing that needs a step that failed', async () => {
    const steps = [stepOf('install'), stepOf('tests', { needs: ['install'] })]
    const outcomes = await schedule(steps, 2, async () => outcomeOf('no answer'), signal)
    expect([...outcomes.keys()].map(({ name }) => name)).toEqual(['install'])
  })
})

describe('a step', () => {
  const run = (rest: Partial<Step>) => runStep(stepOf('step', rest), join(folder, 'log'), signal)

  test('fails with its first failed command, and keeps the output', async () => {
    const outcome = await run({
      commands: [
        ['sh', '-c', 'echo out; exit 3'],
        ['echo', 'never'],
      ],
    })
    expect(outcome).toMatchObject({ status: 'failed' })
    expect(outcome.text).toBe('$ sh -c echo out; exit 3\nout\n')
  })

  test('an install is tried again', async () => {
    const mark = join(folder, 'tried')
    const command = ['sh', '-c', `[ -e ${mark} ] || { touch ${mark}; exit 1; }`]
    expect(await run({ commands: [command], tries: 2, retryMs: 1 })).toMatchObject({
      status: 'passed',
    })
  })

  test.each([
    ['removed', 'config-files', true],
    ['installed', 'installed', false],
  ])('looks whether a package of Debian is %s', async (_, state, isAdded) => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    const added = join(bin, 'added')
    const program = (name: string, script: string) =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const states = `[ "$package" = chromium ] && echo ${state} || echo installed`
    program('dpkg-query', `shift 3; for package; do ${states}; done`)
    program('apt-get', `touch ${added}`)
    const { commands = [] } = landingSteps().find(({ name }) => name === 'system packages') ?? {}
    const outcome = await run({ commands, env: { PATH: `${bin}:/usr/bin:/bin` } })
    expect([commands.length, outcome.status]).toEqual([1, 'passed'])
    expect(existsSync(added)).toBe(isAdded)
  })

  test('a program that does not exist is an error, not a crash', async () => {
    const outcome = await run({ commands: [['/none']] })
    expect([outcome.status, outcome.text]).toEqual(['failed', expect.stringContaining('ENOENT')])
  })

  test.each([
    ['a registry that refuses', 'npm error code E503', 'no answer', 2],
    ['a wrong lock file', 'npm error code EUSAGE', 'failed', 1],
    ['a package that does not exist', 'E: Unable to locate package none', 'failed', 1],
  ])('an install fails with %s', async (_, line, status, attempts) => {
    const outcome = await run({
      commands: [['sh', '-c', `echo; echo "${line}"; exit 1`]],
      tries: 2,
      retryMs: 1,
    })
    expect(outcome.status).toBe(status)
    expect(outcome.text.match(/^\$ sh/gm)).toHaveLength(attempts)
  })

  test('ends with its time, and the log says so', async () => {
    const outcome = await run({ commands: [['sleep', '60']], minutes: 0.001 })
    expect(outcome).toMatchObject({ status: 'failed', isTimeUp: true })
    expect(outcome.text).toContain('Ended after 0.001 minutes.')
  })

  test('leaves no process behind', async () => {
    const { text } = await run({ commands: [['sh', '-c', 'sleep 60 & echo "child $!"']] })
    const pid = Number(/^child (\d+)$/m.exec(text)?.[1])
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  test('is ended with what it started', async () => {
    const stop = new AbortController()
    const step = stepOf('step', { commands: [['sh', '-c', 'sleep 60 & wait']] })
    const running = runStep(step, join(folder, 'log'), stop.signal)
    stop.abort()
    expect(await running).toMatchObject({ status: 'ended' })
  })
})

test('a test file that passes alone is flaky, one that fails again is not', async () => {
  const results = join(folder, 'results.json')
  const other = { ...failure, file: 'test/b.test.ts' }
  writeFileSync(results, JSON.stringify(resultsOf([failure, other])))
  // The last argument is the file.
  const program = ['sh', '-c', '[ "$1" = test/a.test.ts ]', 'alone', 'test/a.test.ts']
  const step = stepOf('tests', { results, commands: [program] })
  const outcome = await rerunFailedFiles(step, outcomeOf('failed'), signal)
  expect(outcome.status).toBe('failed')
  expect(outcome.results).toMatchObject({ failed: [other], flaky: [failure] })
})

test('a failed file runs again without the other files of its step', async () => {
  const results = join(folder, 'results.json')
  writeFileSync(results, JSON.stringify(resultsOf([failure])))
  const others = [join(root, 'src/http'), 'test/api/']
  const program = ['sh', '-c', '[ "$*" = "--project default test/a.test.ts" ]', 'alone']
  const commands = [[...program, '--project', 'default', ...others]]
  const outcome = await rerunFailedFiles(
    stepOf('tests', { results, commands }),
    outcomeOf('failed'),
    signal,
  )
  expect(outcome.status).toBe('passed')
})

test('a step that ran out of time is red, although its failed tests pass alone', async () => {
  const results = join(folder, 'results.json')
  writeFileSync(results, JSON.stringify(resultsOf([failure])))
  const step = stepOf('tests', { results, commands: [['true', 'test/a.test.ts']] })
  const outcome = await rerunFailedFiles(step, outcomeOf('failed', { isTimeUp: true }), signal)
  expect(outcome.status).toBe('failed')
})

test('the error of a hook counts as a failure of its file', () => {
  const results = join(folder, 'hook.json')
  writeFileSync(
    join(folder, 'hook.test.js'),
    `describe('room', () => {
  beforeAll(() => { throw new Error('no room') })
  test('never runs', () => {})
})`,
  )
  writeFileSync(
    join(folder, 'hook.config.mjs'),
    `import { SummaryReporter } from ${JSON.stringify(join(root, 'tools/summary-reporter.ts'))}
export default { test: { globals: true, include: ['hook.test.js'], reporters: [new SummaryReporter()] } }`,
  )
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--config', join(folder, 'hook.config.mjs')]
  spawnSync(process.execPath, args, { env: { ...process.env, PIPIT_TEST_RESULTS: results } })
  expect(JSON.parse(readFileSync(results, 'utf8'))).toMatchObject({
    failed: [{ line: 2, title: 'room', message: 'no room' }],
    isBroken: false,
  })
})

test('every file that a step names exists', () => {
  const named = [...landingSteps(), ...fullSteps()].flatMap(({ commands }) =>
    commands.flat().filter((word) => /^(src|panel|test|tools|model)\/\S*$/.test(word)),
  )
  expect(new Set(named).size).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

describe('the report', () => {
  const report = (outcomes: [Step, Outcome][]) => {
    const lines: string[] = []
    const code = printReport(
      outcomes.map(([step]) => step),
      new Map(outcomes),
      (line) => lines.push(line),
    )
    return { code, lines }
  }

  test('ends with each failed test, why, the log, and how to run it alone', () => {
    const { code, lines } = report([
      [stepOf('build'), outcomeOf('passed')],
      [stepOf('suite'), outcomeOf('failed', { results: resultsOf([failure]) })],
    ])
    expect(code).toBe(1)
    expect(lines.slice(3)).toEqual([
      'skipped: 2 tests (chromium is missing)',
      'FAILED: suite, 7 s',
      '  test/a.test.ts:12 > a reply ends',
      '    expected 1 to be 2',
      '    | the log of the service:',
      '    | engine ended',
      '    alone: npx vitest run --project default test/a.test.ts',
      '3 passed, 1 failed, 2 skipped',
    ])
  })

  test('prints one failure of each file in detail, and lists all files at the end', () => {
    const second = { ...failure, title: 'another reply ends' }
    const other = { ...failure, file: 'test/b.test.ts', notes: [] }
    const recipe =
      'test_loss (test_recipe.Recipe.test_loss) ... FAIL\n\n' +
      'FAIL: test_loss (test_recipe.Recipe.test_loss)\nAssertionError: 1 != 2\n'
    const { lines } = report([
      [stepOf('suite'), outcomeOf('failed', { results: resultsOf([failure, second]) })],
      [stepOf('on Node 22'), outcomeOf('failed', { results: resultsOf([second, other]) })],
      [stepOf('recipe'), outcomeOf('failed', { text: recipe })],
    ])
    expect(lines.slice(lines.indexOf('FAILED: suite, 7 s'))).toEqual([
      'FAILED: suite, 7 s',
      '  test/a.test.ts:12 > a reply ends',
      '    expected 1 to be 2',
      '    | the log of the service:',
      '    | engine ended',
      '    and 1 more in this file',
      '    alone: npx vitest run --project default test/a.test.ts',
      'FAILED: on Node 22, 7 s',
      '  test/b.test.ts:12 > a reply ends',
      '    expected 1 to be 2',
      '    alone: npx vitest run --project default test/b.test.ts',
      '  and 1 of the files above',
      'FAILED: recipe, 7 s',
      '  test_loss',
      '  | test_loss (test_recipe.Recipe.test_loss) ... FAIL',
      '  | ',
      '  | FAIL: test_loss (test_recipe.Recipe.test_loss)',
      '  | AssertionError: 1 != 2',
      expect.stringContaining('the whole log:'),
      'What failed:',
      '  test/a.test.ts > a reply ends (and 1 more)',
      '  test/b.test.ts > a reply ends',
      '  recipe > test_loss',
      '6 passed, 5 failed, 4 skipped',
    ])
  })

  test('says what steps without test results skipped, in one line for each reason', () => {
    const checks = 'skipped: the check of the C++ with clang-format 14 (it is not installed)\n'
    const recipe =
      "test_bf16 (test_recipe.Export.test_bf16) ... skipped 'needs AVX-512'\n" +
      'test_export (test_recipe.Export.test_export) ... ok\n' +
      'test_f16 (test_recipe.Export.test_f16)\n' +
      "Compares with llama.cpp. ... skipped 'needs AVX-512'\n" +
      'test_plot (test_recipe.Plot.test_plot) ... printed by the test\nskipped "matplotlib can\'t draw"\n'
    const { code, lines } = report([
      [stepOf('static checks'), outcomeOf('passed', { text: checks })],
      [stepOf('recipe'), outcomeOf('passed', { text: recipe })],
    ])
    expect(code).toBe(0)
    expect(lines.slice(3)).toEqual([
      'skipped: 2 tests (needs AVX-512)',
      "skipped: 1 test (matplotlib can't draw)",
      'skipped: the check of the C++ with clang-format 14 (it is not installed)',
      '0 passed, 0 failed, 0 skipped',
    ])
  })

  test('names flaky tests of a green run', () => {
    const results = { ...resultsOf([]), flaky: [failure] }
    const { code, lines } = report([[stepOf('suite'), outcomeOf('passed', { results })]])
    expect(code).toBe(0)
    expect(lines.slice(-3)).toEqual([
      'FLAKY: test/a.test.ts > a reply ends (suite; it passed when it ran again, alone)',
      '    expected 1 to be 2',
      '4 passed, 0 failed, 2 skipped',
    ])
  })

  test('a registry that does not answer has its own exit code', () => {
    const { code, lines } = report([[stepOf('npm ci'), outcomeOf('no answer')]])
    expect(code).toBe(3)
    expect(lines).toContain(
      'NO ANSWER: npm ci, 7 s: a registry did not answer. Run the check again.',
    )
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
