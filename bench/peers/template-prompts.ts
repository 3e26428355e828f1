// Writes hashes of the prompts that llama-server renders for the chat templates of its own release. `test/templates/`
// compares them with ours. Run it with `node bench/peers/template-prompts.ts`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conversations, type Conversation } from '../../test/templates/conversations.ts'
import { promptDigest } from '../../test/templates/prompt-digest.ts'
import { templateNames, templateSource } from '../../test/support/models/release-files.ts'
import { freePort, startServer } from '../process.ts'
import { llamaProgram } from './llama-server.ts'
import { wireConversation } from './wire-conversation.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(import.meta.dirname, '../.cache')
/** Any model works: only the texts of its BOS and EOS tokens reach a prompt. */
const modelPath = join(root, 'model/svc-o1-mini.gguf')

type Rendered = { readonly prompt: string } | { readonly refused: string }

const command = process.env['LLAMA_SERVER'] ?? llamaProgram('llama-server')
const prompts: Record<string, Record<string, Rendered>> = {}
mkdirSync(cache, { recursive: true })
for (const name of templateNames()) prompts[name] = await renderAll(name)
writeFileSync(join(cache, 'template-prompts.json'), `${JSON.stringify(prompts, null, 1)}\n`)
const digests = Object.entries(prompts).map(([name, rendered]) => [
  name,
  conversations.map((conversation) => digestOf(rendered[conversation.name])),
])
writeFileSync(
  join(root, 'test/templates/expected-prompts.json'),
  `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`,
)

function digestOf(rendered: Rendered | undefined): string {
  return rendered !== undefined && 'prompt' in rendered
    ? promptDigest(rendered.prompt, new Date())
    : 'refused'
}

async function renderAll(name: string): Promise<Record<string, Rendered>> {
  const port = await freePort()
  const templatePath = join(cache, 'template.jinja')
  writeFileSync(templatePath, templateSource(name))
  const args = ['--host', '127.0.0.1', '--port', String(port), '-m', modelPath, '--ctx-size', '512']
  const template = ['--jinja', '--chat-template-file', templatePath]
  const server = await startServer({
    name,
    command,
    args: [...args, ...template, '--threads', '1', '--parallel', '1', '--no-ui', '--no-warmup'],
    port,
    readyPath: '/health',
  })
  try {
    const rendered = conversations.map(async (conversation) => [
      conversation.name,
      await render(port, conversation),
    ])
    return Object.fromEntries(await Promise.all(rendered))
  } finally {
    await server.stop()
  }
}

async function render(port: number, conversation: Conversation): Promise<Rendered> {
  const reply = await fetch(`http://127.0.0.1:${port}/apply-template`, {
    method: 'POST',
    body: JSON.stringify(wireConversation(conversation)),
    signal: AbortSignal.timeout(30_000),
  })
  const body: unknown = await reply.json()
  if (typeof body === 'object' && body !== null && 'prompt' in body)
    return { prompt: String(body.prompt) }
  return { refused: JSON.stringify(body) }
}
