import { format } from 'node:util'
import { CommanderError, type Command } from 'commander'
import { vi } from 'vitest'
import { createProgram } from '../../../src/cli/program.ts'
import { ServiceError, StartError } from '../../../src/errors.ts'

type Outcome = { code: number; stdout: string; stderr: string }

/**
 * Runs one command line in this process, which is much faster than in a new one. Use it for commands that end by
 * themselves and report mistakes with an error, one command at a time. Leaves out PIPIT_ variables of the developer's
 * shell.
 */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Outcome> {
  const outcome: Outcome = { code: 0, stdout: '', stderr: '' }
  const out = (text: unknown): true => {
    outcome.stdout += String(text)
    return true
  }
  const err = (text: unknown): true => {
    outcome.stderr += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(out),
    vi.spyOn(process.stderr, 'write').mockImplementation(err),
    vi.spyOn(console, 'log').mockImplementation((...parts) => void out(`${format(...parts)}\n`)),
  ]
  for (const name of Object.keys(process.env))
    if (name.startsWith('PIPIT_')) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  try {
    const program = createProgram()
    for (const command of withSubcommands(program)) command.exitOverride()
    await program.parseAsync(['node', 'pipit', ...args])
  } catch (error) {
    outcome.code = 1
    if (error instanceof CommanderError) outcome.code = error.exitCode
    else if (error instanceof StartError || error instanceof ServiceError)
      outcome.stderr += `pipit: ${error.message}\n`
    else throw error
  } finally {
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
  return outcome
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
