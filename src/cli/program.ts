import { Command, Help, type Option } from 'commander'
import { ServiceError, StartError } from '../errors.ts'
import { statusCommand } from './status/status-command.ts'
import { version } from '../version.ts'
import { accountsCommand } from './commands/accounts.ts'
import { chatCommand } from './chat/chat-command.ts'
import { withoutControls } from './chat/markdown.ts'
import { commandLine } from '../paths.ts'
import { backupCommand } from './commands/backup.ts'
import { benchCommand } from './commands/bench.ts'
import { checkCommand } from './commands/check.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { keysCommand } from './commands/keys.ts'
import { completionCommand } from './completion/completion-command.ts'
import { examples } from './examples.ts'
import { watchOutput } from './output.ts'
import { migrateCommand } from './commands/migrate.ts'
import { modelsCommand } from './commands/models.ts'
import { pricesCommand } from './commands/prices.ts'
import { serveCommand } from './commands/serve.ts'

/** Runs the command line of this process. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  watchOutput()
  await runCommandLine(createProgram(), argv)
}

/**
 * Runs one command line, and leaves its exit code in `process.exitCode`. Errors that the operator can fix are printed to
 * standard error.
 */
export async function runCommandLine(program: Command, argv: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof ServiceError)) throw error
    // A message can quote a service that is not ours.
    process.stderr.write(`pipit: ${withoutControls(error.message)}\n`)
    process.exitCode = error instanceof StartError ? error.exitCode : 1
  }
}

/** Returns the program with all its commands. */
export function createProgram(): Command {
  return new Command(commandLine)
    .description('Self-hosted chat completions with a small, fast language model.')
    .version(version)
    .addCommand(serveCommand())
    .addCommand(chatCommand())
    .addCommand(keysCommand())
    .addCommand(accountsCommand())
    .addCommand(pricesCommand())
    .addCommand(modelsCommand())
    .addCommand(statusCommand())
    .addCommand(doctorCommand())
    .addCommand(backupCommand())
    .addCommand(migrateCommand())
    .addCommand(benchCommand())
    .addCommand(checkCommand(process.env))
    .addCommand(completionCommand())
    .addHelpText('after', examples('keys create --name laptop'))
    .configureHelp({ visibleCommands: withoutHelp, visibleOptions: withoutHelpOption })
    .showHelpAfterError('(run with --help for usage)')
}

/** Hides the command `help`, so that the list of commands fits on a screen. `help` and `--help` still work. */
function withoutHelp(command: Command): Command[] {
  return new Help().visibleCommands(command).filter((one) => one.name() !== 'help')
}

function withoutHelpOption(command: Command): Option[] {
  return new Help().visibleOptions(command).filter((one) => one.long !== '--help')
}
