import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { version } from '../../version.ts'
import { enginePlatform, findEngineFolder } from './engine-package.ts'

/** Makes an installed package without sources, and installs engines beside it. */
function installed(engines: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const root = join(folder, 'node_modules/pipit')
  const optionalDependencies = {
    '@pipit/engine-linux-arm64': version,
    '@pipit/engine-linux-x64': version,
  }
  writePackage(root, { name: 'pipit', version, optionalDependencies })
  for (const [name, engineVersion] of Object.entries(engines))
    writePackage(join(folder, 'node_modules', name), { name, version: engineVersion })
  return root
}

function writePackage(folder: string, facts: object): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(facts))
}

test('the engine package of the platform is found beside the service', () => {
  const root = installed({ '@pipit/engine-linux-x64': version })
  expect(findEngineFolder('linux-x64', root)).toBe(join(root, '../@pipit/engine-linux-x64'))
})

test('a missing engine package is named with the command that installs it', () => {
  expect(() => findEngineFolder('linux-x64', installed())).toThrow(
    `run \`npm install @pipit/engine-linux-x64@${version}\`, with -g if`,
  )
})

test('an engine package of another version is refused with the command that replaces it', () => {
  const root = installed({ '@pipit/engine-linux-x64': '0.0.1' })
  expect(() => findEngineFolder('linux-x64', root)).toThrow(
    `and finds 0.0.1: run \`npm install @pipit/engine-linux-x64@${version}\`.`,
  )
})

test('a platform without an engine is refused with the platforms that have one', () => {
  expect(() => findEngineFolder('linux-x64-musl', installed())).toThrow(
    'Pipit has no engine for linux-x64-musl, only for linux-arm64, linux-x64: run it on one of these.',
  )
})

test('a clone whose engine is not built is told to build it', () => {
  const root = installed()
  mkdirSync(join(root, 'src'))
  expect(() => findEngineFolder('linux-x64', root)).toThrow('run `npm run build`')
})

test('only Linux without glibc is musl', () => {
  expect(enginePlatform('linux', 'x64', '2.36')).toBe('linux-x64')
  expect(enginePlatform('linux', 'arm64', undefined)).not.toBe('')
  expect(enginePlatform('darwin', 'arm64', undefined)).toBe('darwin-arm64')
})
