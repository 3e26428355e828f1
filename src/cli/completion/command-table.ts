import type { Command } from 'commander'

/** A command with its subcommands and options. */
export type CommandEntry = {
  /** Name of the command without the program's name, such as `keys create`; empty for the program itself. */
  path: string
  commands: { name: string; description: string }[]
  options: {
    /** Name with its dashes. */
    name: string
    description: string
    /** Values that the option accepts; empty if they are not known. */
    choices: readonly string[]
    takesValue: boolean
    takesFile: boolean
  }[]
}

/** Returns all commands that a shell can complete, beginning with the program itself. */
export function commandTable(program: Command, path = ''): CommandEntry[] {
  const visible = program.createHelp().visibleCommands(program)
  const entry: CommandEntry = {
    path,
    commands: visible.map((command) => ({
      name: command.name(),
      description: command.summary() || command.description(),
    })),
    options: program
      .createHelp()
      .visibleOptions(program)
      .flatMap(({ long, description, argChoices = [], required, flags }) =>
        long == null
          ? []
          : [
              {
                name: long,
                description,
                choices: argChoices,
                takesValue: required,
                takesFile: flags.includes('<file>'),
              },
            ],
      ),
  }
  const below = visible
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => commandTable(command, `${path} ${command.name()}`.trim()))
  return [entry, ...below]
}
