import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProgram } from '../program.ts'
import { commandTable } from './command-table.ts'
import { shellScripts } from './shell-scripts.ts'

function fileOf(shell: string, name = 'pipit'): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, name)
  writeFileSync(path, shellScripts[shell]?.(commandTable(createProgram())) ?? '')
  return path
}

test('bash completes commands, their options and the values of an option', () => {
  const path = fileOf('bash')
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const run = `source ${path}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _pipit; echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim().split(' ')
  }
  expect(complete('pipit', 'c')).toEqual(['chat', 'check', 'completion'])
  expect(complete('pipit', 'keys', 'r')).toEqual(['rotate', 'revoke'])
  expect(complete('pipit', 'keys', 'create', '--na')).toEqual(['--name'])
  expect(complete('pipit', 'keys', 'create', '--name', 'laptop', '--js')).toEqual(['--json'])
  expect(complete('pipit', 'accounts', 'create', '--role', '')).toEqual(['admin', 'member'])
  expect(complete('pipit', 'chat', 'notes')).toEqual([''])
})

test.for(['bash', 'zsh', 'fish'])(
  'the script for %s is valid, and names every command',
  (shell, { skip }) => {
    const path = fileOf(shell)
    const table = commandTable(createProgram())
    const script = shellScripts[shell]?.(table) ?? ''
    for (const { name } of table.flatMap(({ commands }) => commands)) expect(script).toContain(name)
    const checked = spawnSync(shell, ['-n', path], { encoding: 'utf8' })
    if (checked.error !== undefined) skip(`${shell} is not installed`)
    expect([checked.status, checked.stderr]).toEqual([0, ''])
  },
)

test('zsh completes from the first call on, whether it loads the script as a function or sources it', ({
  skip,
}) => {
  const path = fileOf('zsh', '_pipit')
  const inZsh = (load: string) => {
    const shown = '_describe() { print -r -- $found; }; compdef() { print -r -- compdef $@; }'
    const run = `${shown}; words=(pipit keys r); CURRENT=3; ${load}`
    const { error, stdout, stderr } = spawnSync('zsh', ['-f', '-c', run], { encoding: 'utf8' })
    if (error !== undefined) skip('zsh is not installed')
    expect(stderr).toBe('')
    return stdout
  }
  expect(inZsh(`fpath=(${dirname(path)}); autoload -Uz _pipit; _pipit`)).toMatch(/\brevoke:/)
  expect(inZsh(`source ${path}`)).toBe('compdef _pipit pipit\n')
})

test('fish completes commands and options', ({ skip }) => {
  const path = fileOf('fish')
  const complete = (line: string) => {
    const run = spawnSync('fish', ['-N', '-c', `source ${path}; complete -C '${line}'`], {
      encoding: 'utf8',
    })
    if (run.error !== undefined) skip('fish is not installed')
    return run.stdout.split('\n').map((found) => found.split('\t')[0])
  }
  expect(complete('pipit ch')).toEqual(expect.arrayContaining(['chat', 'check']))
  expect(complete('pipit keys r')).toEqual(['revoke', 'rotate', ''])
  expect(complete('pipit keys create --na')).toEqual(['--name', ''])
})
