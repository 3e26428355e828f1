import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../../../panel/src/reference/api-document.ts'
import { exampleRequest } from '../../../panel/src/reference/example-request.ts'
import { type GuideRequest, guideRequests } from '../../../panel/src/reference/guide-requests.ts'
import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import { type Language, languages, writeCode } from '../../../panel/src/code/write-code.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const run = promisify(execFile)
/** Time for a Go compiler with an empty cache, which compiles the standard library first. */
const timeoutMs = 240_000

let service: TestService
let folder: string
let requests: [name: string, request: GuideRequest][]
beforeAll(async () => {
  service = await startTestService()
  folder = mkdtempSync(join(tmpdir(), 'pipit-examples-'))
  const api = (await (await service.request('/openapi.json')).json()) as OpenApi
  const receipt = await service.post((guideRequests.first as GuideRequest).body)
  const requestId = receipt.headers.get('x-request-id') ?? ''
  await receipt.text()
  const ofOperations = operationsOf(api)
    .filter(({ operationId }) => operationId !== 'describeApi' && operationId !== 'readDocs')
    .map((operation): [string, GuideRequest] => {
      const request = exampleRequest(operation)
      const path =
        operation.operationId === 'retrieveRequest' ? `/v1/requests/${requestId}` : request.path
      return [operation.operationId, { ...request, path }]
    })
  requests = [...Object.entries(guideRequests), ...ofOperations]
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

type Tools = {
  /** Program that runs the language. Its tests are skipped if the program is not installed. */
  program: string
  version: string[]
  file: string
  command: (file: string) => [string, ...string[]]
}

/** Excludes C#, which runs only in a project of its own. */
type RunnableLanguage = Exclude<Language, 'C#'>
const runnable = languages.filter((language): language is RunnableLanguage => language !== 'C#')

const tools: Readonly<Record<RunnableLanguage, Tools>> = {
  curl: {
    program: 'curl',
    version: ['--version'],
    file: 'example.sh',
    command: (file) => ['sh', '-e', file],
  },
  TypeScript: {
    program: process.execPath,
    version: ['--version'],
    file: 'example.mts',
    command: (file) => [process.execPath, '--disable-warning=ExperimentalWarning', file],
  },
  Python: {
    program: 'python3',
    version: ['--version'],
    file: 'example.py',
    command: (file) => ['python3', file],
  },
  Go: {
    program: 'go',
    version: ['version'],
    file: 'example.go',
    command: (file) => ['go', 'run', file],
  },
  Java: {
    program: 'java',
    version: ['--version'],
    file: 'Main.java',
    command: (file) => ['java', file],
  },
  PHP: {
    program: 'php',
    version: ['--version'],
    file: 'example.php',
    command: (file) => ['php', file],
  },
}

/** Languages whose compilers are slow. They run only the examples in `ofSlow`, at least one of each kind. */
const slow: readonly Language[] = ['Go', 'Java']
const ofSlow = ['stream', 'structured', 'limits', 'isAlive']

test.for(runnable)(
  'every example in %s runs unchanged and prints the reply',
  { timeout: timeoutMs },
  async (language, { skip }) => {
    const { program, version, file, command } = tools[language]
    skip(!isInstalled(program, version), `there is no ${program}`)
    for (const [name, request] of requests) {
      if (slow.includes(language) && !ofSlow.includes(name)) continue
      const place = join(folder, language, name)
      mkdirSync(place, { recursive: true })
      const code = writeCode(language, { ...request, origin: service.url })
      writeFileSync(join(place, file), code)
      const [executable, ...args] = command(join(place, file))
      const env = { ...process.env, PIPIT_API_KEY: service.key, GO111MODULE: 'off' }
      const { stdout } = await run(executable, args, { env, cwd: place })
      expect([name, printedText(stdout)]).toEqual([
        name,
        expect.stringMatching(expectedOf(request)),
      ])
    }
  },
)

/** Returns a pattern for an example's output. The scripted engine repeats the question. */
function expectedOf({ streams, path }: GuideRequest): RegExp {
  if (streams === true) return /capital of France/
  return path.includes('health') || path.includes('ready') ? /"status"/ : /"(object|id)"/
}

test('the code with a key needs no environment and quotes every text', async () => {
  const body = {
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content: `It's "$HOME" \\ \`x\` """ é 😀\n#{1} \${2}` }],
  }
  const request = { origin: service.url, method: 'POST', path: '/v1/chat/completions', body }
  for (const language of runnable) {
    const { program, version, file, command } = tools[language]
    if (!isInstalled(program, version)) continue
    for (const streams of [false, true]) {
      const place = join(folder, 'quoted', language, String(streams))
      mkdirSync(place, { recursive: true })
      const sent = { ...request, body: { ...body, ...(streams && { stream: true }) }, streams }
      writeFileSync(join(place, file), writeCode(language, { ...sent, apiKey: service.key }))
      const [executable, ...args] = command(join(place, file))
      const { PATH, HOME } = process.env
      const env = { PATH, HOME, LANG: 'C.UTF-8', GO111MODULE: 'off' }
      const { stdout } = await run(executable, args, { env, cwd: place })
      expect([language, streams, printedText(stdout)]).toEqual([
        language,
        streams,
        expect.stringContaining('é 😀'),
      ])
    }
  }
}, 240_000)

/**
 * Returns the text that an example printed: a JSON response without escapes, or the joined text of printed stream
 * events.
 */
function printedText(stdout: string): string {
  const events = stdout.split('\n').filter((line) => line.startsWith('data: {'))
  // Python's JSON escapes all non-ASCII characters.
  if (stdout.startsWith('{')) return JSON.stringify(JSON.parse(stdout))
  if (events.length === 0) return stdout
  return events
    .map((line) => JSON.parse(line.slice('data: '.length)) as ChatCompletionChunk)
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')
}

function isInstalled(program: string, version: string[]): boolean {
  try {
    execFileSync(program, version, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
