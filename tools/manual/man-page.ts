import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'
import { commandLine } from '../../src/paths.ts'
import { version } from '../../src/version.ts'
import { settingRows } from './settings-rows.ts'

/** The man page that the npm package and the release install. */
export const manPage = fileURLToPath(new URL('../../docs/pipit.1', import.meta.url))

export function writeManPage(): void {
  writeFileSync(manPage, renderManPage())
}

/** Returns docs/pipit.1: the commands from the program itself, the settings from their table. */
export function renderManPage(): string {
  const program = createProgram()
  const commands = below(program)
  const lines = [
    '.\\" Written by `npm run reference` from the commands and the settings.',
    `.TH PIPIT 1 "" "pipit ${version}" "User Commands"`,
    '.SH NAME',
    'pipit \\- self\\-hosted chat completions with a small, fast language model',
    '.SH SYNOPSIS',
    ...program.commands.flatMap((command) => ['.br', `.B ${escape(synopsis(command))}`]).slice(1),
    '.SH DESCRIPTION',
    'Pipit serves chat completions over HTTP, with the interface that OpenAI\\(aqs clients use.',
    'A small model is included.',
    '.SH COMMANDS',
    ...commands.flatMap(describe),
    '.SH ENVIRONMENT',
    'The service reads these variables once, at its start. An empty value counts as unset.',
    ...settings(),
    '.SH FILES',
    ...tagged('~/.local/share/pipit', 'The data directory, unless PIPIT_DATA_DIR names another.'),
    '.SH EXIT STATUS',
    '0 if the command did what it says, otherwise 1. Some commands have more, see above.',
    '.SH SEE ALSO',
    'The folder docs/ of the package. A running service shows its API on the page /docs.',
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the commands without subcommands, in the order of the help. */
function below(command: Command): Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? below(one) : [one]))
}

/** Returns the words that start a command, such as `keys create`. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent?.parent == null ? command.name() : `${nameOf(parent)} ${command.name()}`
}

function synopsis(command: Command): string {
  return `pipit ${nameOf(command)}${command.commands.length > 0 ? ' COMMAND' : ''}`
}

function describe(command: Command): string[] {
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  return [
    `.SS ${escape(`pipit ${nameOf(command)} ${command.usage()}`)}`,
    ...text(`${upper(command.description())}.`),
    ...help
      .visibleArguments(command)
      .flatMap((one) => tagged(help.argumentTerm(one), help.argumentDescription(one))),
    ...options.flatMap((one) => tagged(help.optionTerm(one), help.optionDescription(one))),
    ...textAfter(command),
  ]
}

/** Returns what the help of a command says after its options: examples and exit codes. */
function textAfter(command: Command): string[] {
  let all = ''
  const print = (part: string) => (all += part)
  command.configureOutput({ writeOut: print })
  command.outputHelp()
  const after = all.slice(command.helpInformation().length).trim()
  if (after === '') return []
  // Example commands keep their line breaks.
  return ['.PP', '.nf', ...escape(after.replaceAll(commandLine, 'pipit')).split('\n'), '.fi']
}

function settings(): string[] {
  return settingRows().flatMap(({ name, byDefault, meaning }) =>
    tagged(name, `${plain(meaning)}. Default: ${plain(byDefault)}.`),
  )
}

/** Returns Markdown as plain text. */
function plain(cell: string): string {
  return cell
    .replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (_all, label: string, path: string) =>
      path.startsWith('#') ? label : `docs/${path.replace(/#.*/, '')}`,
    )
    .replaceAll(/see \w+ below/g, 'see docs/configuration.md')
    .replaceAll('`', '')
}

function tagged(term: string, description: string): string[] {
  return ['.TP', `.B ${escape(term)}`, ...text(description)]
}

function text(content: string): string[] {
  return [escape(content)]
}

function upper(content: string): string {
  return content.charAt(0).toUpperCase() + content.slice(1)
}

/** Escapes text for roff. Characters outside ASCII are written as code points, which work in every locale. */
function escape(content: string): string {
  return content
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/[^\n -~]/gu, (char) => {
      const code = char.codePointAt(0) ?? 0
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .replaceAll(/^\./gm, '\\&.')
}
