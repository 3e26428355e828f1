import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCompletion } from '../../panel/src/code/write-code.ts'

const run = promisify(execFile)
const runMs = 60_000

/** Texts that could end a string in Go, Java, C# or PHP. */
const content = [
  'It\'s "quoted" `now`',
  '"""',
  '\\n \\u0041 \\',
  'two\nlines\r\n\ttab',
  '${x} #{x} %s {0} $x {{y}}',
  'JSON;\n  JSON',
  '\u2028 שלום 👩‍👧',
].join(' | ')
const body = {
  model: 'svc-o1-mini',
  messages: [{ role: 'user', content }],
  temperature: 0,
  top_k: 5,
  stream: true,
}

const bodies: string[] = []
const keys: (string | undefined)[] = []
const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => (text += part))
  request.on('end', () => {
    bodies.push(text)
    keys.push(request.headers.authorization)
    response.setHeader('content-type', 'text/event-stream')
    const event = JSON.stringify({ choices: [{ delta: { content: 'It arrived.' } }] })
    response.end(`data: ${event}\n\ndata: [DONE]\n\n`)
  })
})
const folder = mkdtempSync(join(tmpdir(), 'pipit-code-'))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const languages = [
  { language: 'Go', file: 'main.go', program: 'go', given: ['run'], version: 'version' },
  { language: 'Java', file: 'Main.java', program: 'java', given: [], version: '-version' },
  { language: 'PHP', file: 'pipit.php', program: 'php', given: [], version: '--version' },
] as const

describe.each(languages)('the code in $language', ({ language, file, program, given, version }) => {
  test(
    'runs as it is, and sends the key and the exact body',
    async ({ skip }) => {
      skip(spawnSync(program, [version]).status !== 0, `there is no ${program}`)
      const { port } = server.address() as AddressInfo
      const code = writeCompletion(language, { origin: `http://127.0.0.1:${port}`, body })
      const path = join(folder, file)
      writeFileSync(path, code)
      const env = { ...process.env, PIPIT_API_KEY: 'sk-pipit-x', GOFLAGS: '-mod=mod' }
      const { stdout } = await run(program, [...given, path], { env, timeout: runMs })
      expect(stdout).toContain('It arrived.')
      expect(JSON.parse(bodies.at(-1) ?? '')).toEqual(body)
      expect(keys.at(-1)).toBe('Bearer sk-pipit-x')
    },
    2 * runMs,
  )
})

test('the code in C# ends its text only after the whole body', () => {
  const code = writeCompletion('C#', { origin: 'http://127.0.0.1', body })
  const text = /"""\n([\s\S]*?)\n {4}"""/.exec(code)?.[1] ?? ''
  expect(JSON.parse(text)).toEqual(body)
})
