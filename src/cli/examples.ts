import { commandLine } from '../paths.ts'

/** Returns the part of a command's help with examples, each without the words that start the program. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${commandLine} ${line}`)].join('\n')
}
