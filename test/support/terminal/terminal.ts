import { spawn } from 'node:child_process'
import { mainFile } from '../process.ts'

const waitMaxMs = 30_000

type TerminalOptions = {
  /** Size of the terminal. Default: the terminal does not know its size. */
  readonly size?: { readonly columns: number; readonly rows: number }
  /** A link to the program. The name of the link is the name of the command. */
  readonly program?: string
}

/** Runs one `pipit …` command line in a terminal of its own, with the `script` of util-linux. */
export function openTerminal(
  args: string[],
  environment: Record<string, string> = {},
  { size, program = mainFile }: TerminalOptions = {},
) {
  const words = [process.execPath, '--no-warnings', program, ...args]
  const setSize = size === undefined ? '' : `stty cols ${size.columns} rows ${size.rows}; `
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PIPIT_'))
  const child = spawn('script', ['-qec', `${setSize}exec ${line}`, '/dev/null'], {
    env: { ...Object.fromEntries(own), TERM: 'xterm', SHELL: '/bin/sh', ...environment },
  })
  let output = ''
  let wake = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    wake()
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    /** Returns all output that the terminal has received. */
    output: () => output,
    type: (text: string) => void child.stdin.write(text),
    /** Waits until the output after `from` has this text, and returns the position after the text. */
    async awaitText(text: string, from = 0): Promise<number> {
      const endMs = performance.now() + waitMaxMs
      while (!output.includes(text, from)) {
        if (performance.now() > endMs)
          throw new Error(`no ${JSON.stringify(text)} in ${JSON.stringify(output.slice(from))}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 500)
        })
      }
      return output.indexOf(text, from) + text.length
    },
    exitCode: () => closed,
    dispose: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}
