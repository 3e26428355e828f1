// Writes digests of the tokens of llama-server's prompts for models with real vocabularies, which `test/templates/`
// compares with ours: `node bench/peers/prompt-tokens.ts`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  combinations,
  modelOf,
  nameOf,
  tokenConversations,
  tokenDigest,
} from '../../test/templates/combinations.ts'
import { freePort, startServer } from '../process.ts'
import { llamaProgram } from './llama-server.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(import.meta.dirname, '../.cache')
const command = process.env['LLAMA_SERVER'] ?? llamaProgram('llama-server')
mkdirSync(cache, { recursive: true })
const digests: Record<string, readonly string[]> = {}
for (const combination of combinations) {
  const modelPath = join(cache, 'combined.gguf')
  writeFileSync(modelPath, modelOf(combination))
  digests[nameOf(combination)] = await digestsWith(modelPath)
  rmSync(modelPath)
}
const path = join(root, 'test/templates/expected-tokens.json')
writeFileSync(path, `${JSON.stringify(digests, null, 2)}\n`)

async function digestsWith(modelPath: string): Promise<string[]> {
  const port = await freePort()
  const args = ['--host', '127.0.0.1', '--port', String(port), '-m', modelPath, '--jinja']
  const server = await startServer({
    name: 'llama-server',
    command,
    args: [...args, '--threads', '1', '--parallel', '1', '--no-ui', '--no-warmup'],
    port,
    readyPath: '/health',
  })
  try {
    const found = []
    for (const { messages } of tokenConversations) {
      const { prompt } = await post(port, '/apply-template', { messages })
      const asked = { content: prompt, add_special: true, parse_special: true }
      const { tokens } = await post(port, '/tokenize', asked)
      if (!Array.isArray(tokens)) throw new Error('llama-server sent no tokens')
      found.push(tokenDigest(tokens.map(Number)))
    }
    return found
  } finally {
    await server.stop()
  }
}

async function post(port: number, route: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`http://127.0.0.1:${port}${route}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const json: unknown = await reply.json()
  if (typeof json !== 'object' || json === null) throw new Error(`${route} sent no object`)
  return Object.fromEntries(Object.entries(json))
}
