import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 })
  command.outputHelp()
  return text
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

test('the help of every command fits on a screen of 24 lines and 80 columns', () => {
  for (const command of allCommands(createProgram())) {
    const lines = helpOf(command).trimEnd().split('\n')
    const name = `${command.parent?.name() ?? ''} ${command.name()}`
    expect([name, lines.length <= 24]).toEqual([name, true])
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  }
})

test('the help of the program and of each of its commands has examples', () => {
  const program = createProgram()
  for (const command of [program, ...program.commands])
    expect(helpOf(command)).toMatch(/\n(Examples:|Run it with .*)\n/)
})
