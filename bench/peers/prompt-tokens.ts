// Writes digests of the prompt tokens of llama-server, for combinations of a chat template and a vocabulary.
// `test/templates/` compares them with ours. Run it with `node bench/peers/prompt-tokens.ts`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Combination,
  comparedConversations,
  everyTemplate,
  modelOf,
  nameOf,
  tokenDigests,
  vocabularyRules,
} from '../../test/templates/combinations.ts'
import { templateSource } from '../../test/support/models/release-files.ts'
import { freePort, startServer } from '../process.ts'
import { llamaProgram } from './llama-server.ts'
import { wireConversation } from './wire-conversation.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(import.meta.dirname, '../.cache')
const command = process.env['LLAMA_SERVER'] ?? llamaProgram('llama-server')
mkdirSync(cache, { recursive: true })
const digests: Record<string, Record<string, string>> = {}
for (const combination of [...vocabularyRules, ...everyTemplate])
  digests[nameOf(combination)] = await digestsWith(combination)
const path = join(root, 'test/templates/expected-tokens.json')
writeFileSync(path, `${JSON.stringify(digests, null, 2)}\n`)

/** Returns one digest per conversation, keyed by the conversation's name. */
async function digestsWith(combination: Combination): Promise<Record<string, string>> {
  const modelPath = join(cache, 'combined.gguf')
  const templatePath = join(cache, 'template.jinja')
  writeFileSync(modelPath, modelOf(combination))
  writeFileSync(templatePath, templateSource(combination.template))
  const port = await freePort()
  const args = ['--host', '127.0.0.1', '--port', String(port), '-m', modelPath]
  const template = ['--jinja', '--chat-template-file', templatePath]
  const server = await startServer({
    name: 'llama-server',
    command,
    args: [...args, ...template, '--threads', '1', '--parallel', '1', '--no-ui', '--no-warmup'],
    port,
    readyPath: '/health',
  })
  try {
    const digest = tokenDigests(combination)
    const found: Record<string, string> = {}
    for (const conversation of comparedConversations(combination.template)) {
      const { prompt } = await post(port, '/apply-template', wireConversation(conversation))
      const asked = { content: prompt, add_special: true, parse_special: true }
      const { tokens } = await post(port, '/tokenize', asked)
      if (typeof prompt !== 'string' || !Array.isArray(tokens))
        throw new Error(`llama-server sent no tokens of ${conversation.name}`)
      found[conversation.name] = digest(tokens.map(Number))
    }
    return found
  } finally {
    await server.stop()
    rmSync(modelPath)
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
