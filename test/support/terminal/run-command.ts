import { format } from 'node:util'
import { CommanderError, type Command } from 'commander'
import { vi } from 'vitest'
import { createProgram, runCommandLine } from '../../../src/cli/program.ts'

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
  // A command sets the exit code of its process, which is not the one of the tests.
  const exitCode = process.exitCode
  process.exitCode = undefined
  try {
    const program = createProgram()
    for (const command of withSubcommands(program)) command.exitOverride()
    await runCommandLine(program, ['node', 'pipit', ...args])
    outcome.code = Number(process.exitCode ?? 0)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    outcome.code = error.exitCode
  } finally {
    process.exitCode = exitCode
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
  return outcome
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
