import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'

type Package = { version?: string; resolved?: string; integrity?: string; link?: boolean }

const read = (name: string): unknown => JSON.parse(readFileSync(join(packageRoot, name), 'utf8'))
const { dependencies, devDependencies, allowScripts } = read('package.json') as Record<
  'dependencies' | 'devDependencies' | 'allowScripts',
  Record<string, string>
>
const { packages } = read('package-lock.json') as { packages: Record<string, Package> }
const installed = Object.entries(packages).filter(([path]) => path !== '')

test('every package has an exact version and a checksum, and comes from the npm registry (T39)', () => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  expect(installed.length).toBeGreaterThan(100)
  for (const [path, { resolved, integrity }] of installed) {
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
    // A package without `resolved` comes from the registry.
    if (resolved !== undefined)
      expect([path, resolved]).toEqual([
        path,
        expect.stringMatching(/^https:..registry\.npmjs\.org\//),
      ])
  }
})

test('no package but Node itself may run a script when it is installed (T39)', () => {
  const allowed = Object.entries(allowScripts).filter(
    ([, isAllowed]) => String(isAllowed) === 'true',
  )
  expect(allowed.map(([name]) => name)).toEqual(['node'])
})

test('no package renders on the server (T40)', () => {
  const names = installed.map(([path]) => path.split('node_modules/').at(-1))
  expect(
    names.filter((name) => /^next$|^react-server-dom|^react-router-serve$/.test(name ?? '')),
  ).toEqual([])
  expect(Object.keys(dependencies).filter((name) => name.startsWith('react'))).toEqual([])
})
