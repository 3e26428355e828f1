import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { mainFile } from '../process.ts'

/** Longest wait for a text, and for the end of a command. */
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
  let isClosed = false
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      isClosed = true
      resolve(code)
      wake()
    })
  })
  /** Returns the exit code. @throws Error with the output of a command that is late */
  const exitCode = async (waitMs = waitMaxMs): Promise<number | null> => {
    const waiting = new AbortController()
    const late = delay(waitMs, undefined, { signal: waiting.signal }).then(() => {
      const shown = JSON.stringify(output)
      throw new Error(`${args.join(' ')} has not ended within ${waitMs / 1000} s: ${shown}`)
    })
    return Promise.race([closed, late]).finally(() => waiting.abort())
  }
  return {
    /** Returns all output that the terminal has received. */
    output: () => output,
    type: (text: string) => void child.stdin.write(text),
    /**
     * Waits until the output after `from` has this text, and returns the position after the text.
     * @throws Error with the output if the command is late or has ended
     */
    async awaitText(text: string, from = 0): Promise<number> {
      const endMs = performance.now() + waitMaxMs
      while (!output.includes(text, from)) {
        const without = `without ${JSON.stringify(text)}: ${JSON.stringify(output.slice(from))}`
        if (isClosed) throw new Error(`${args.join(' ')} ended with ${await closed} ${without}`)
        if (performance.now() > endMs)
          throw new Error(`${args.join(' ')} ran for ${waitMaxMs / 1000} s ${without}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 500)
        })
      }
      return output.indexOf(text, from) + text.length
    },
    exitCode,
    dispose: async () => {
      child.kill('SIGKILL')
      await exitCode()
    },
  }
}
