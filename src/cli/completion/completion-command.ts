import { Argument, Command } from 'commander'
import { commandTable } from './command-table.ts'
import { shellScripts } from './shell-scripts.ts'

/** The `completion` command, which prints a completion script for a shell, generated from the commands themselves. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script with which a shell completes the commands of pipit')
    .summary('print a script for the completion of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shellScripts)))
    .addHelpText(
      'after',
      `
Examples:
  pipit completion bash > ~/.local/share/bash-completion/completions/pipit
  pipit completion zsh > ~/.zsh/completions/_pipit      (a folder of $fpath)
  pipit completion fish > ~/.config/fish/completions/pipit.fish

In a clone, define pipit first, for example in ~/.bashrc or ~/.zshrc:
  pipit() { npm run -s --prefix ~/pipit pipit -- "$@"; }`,
    )
    .action((shell: string, _options: object, command: Command) => {
      const script = shellScripts[shell]
      if (command.parent !== null && script !== undefined)
        process.stdout.write(script(commandTable(command.parent)))
    })
}
