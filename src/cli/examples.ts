import { commandLine } from '../paths.ts'

/** Returns the examples section of a command's help. `lines` are command lines without the program's name. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${commandLine} ${line}`)].join('\n')
}
