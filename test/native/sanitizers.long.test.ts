import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { buildSanitized, reportsFolder } from '../../tools/sanitized/build-sanitized.mjs'

const timeoutMs = 900_000

let built: Awaited<ReturnType<typeof buildSanitized>>
beforeAll(async () => {
  built = await buildSanitized()
}, timeoutMs)

test(
  'the address and undefined-behaviour sanitizers find nothing while the engine tests run (T23)',
  { timeout: timeoutMs },
  async () => {
    const { folder, environment } = built
    const vitest = spawn(
      process.execPath,
      [
        join(packageRoot, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        folder,
        '--config',
        join(folder, 'test/native/sanitized.config.ts'),
      ],
      {
        cwd: folder,
        env: { ...process.env, ...environment, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: timeoutMs,
      },
    )
    const [output, errors] = await Promise.all([
      text(vitest.stdout),
      text(vitest.stderr),
      once(vitest, 'exit'),
    ])
    // Checks for the sanitizers' reports first, so that they are shown before any failed tests.
    expect(engineReports()).toEqual([])
    expect(errors).not.toMatch(/AddressSanitizer|runtime error/)
    expect(vitest.exitCode, output + errors).toBe(0)
    // Checks that engine processes ran with the sanitizers: the launcher makes a file for each.
    expect(readdirSync(reportsFolder).length).toBeGreaterThan(20)
    expect(output).toMatch(/Tests +\d{3} passed/)
  },
)

function engineReports(): string[] {
  return readdirSync(reportsFolder)
    .map((name) => readFileSync(join(reportsFolder, name), 'utf8'))
    .filter((report) => /AddressSanitizer|runtime error/.test(report))
}
