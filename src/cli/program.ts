import { Command } from 'commander'
import { ServiceError, StartError } from '../errors.ts'
import { version } from '../version.ts'
import { accountsCommand } from './commands/accounts.ts'
import { benchCommand } from './commands/bench.ts'
import { checkCommand } from './commands/check.ts'
import { keysCommand } from './commands/keys.ts'
import { serveCommand } from './commands/serve.ts'

/** Runs one command line. Errors that the operator can fix are printed to standard error, with exit code 1. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = new Command('pipit')
    .description('Self-hosted chat completions with a small, fast language model.')
    .version(version)
    .addCommand(serveCommand())
    .addCommand(keysCommand())
    .addCommand(accountsCommand())
    .addCommand(benchCommand())
    .addCommand(checkCommand(process.env))
    .showHelpAfterError('(run with --help for usage)')
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof ServiceError)) throw error
    process.stderr.write(`pipit: ${error.message}\n`)
    process.exitCode = 1
  }
}
