import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import type { ReplyFormat } from '../../src/engine/reply-format.ts'
import { toolFormOf } from '../../src/engine/tool-forms/detect-tool-form.ts'
import { ToolCallReader } from '../../src/engine/tool-forms/reading/tool-call-reader.ts'
import type { Tool } from '../../src/engine/tools.ts'
import { never, startEngine } from '../support/engine/engine-fixtures.ts'
import { combinedGguf } from '../support/models/combined-gguf.ts'
import { templateSource } from '../support/models/release-files.ts'

export const tools: Tool[] = [
  {
    name: 'book',
    description: 'Books a room.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        days: { type: 'integer', minimum: 1, maximum: 9 },
        room: { type: 'string', enum: ['small', 'large'] },
        late: { type: 'boolean' },
        floors: {
          type: 'array',
          items: { type: 'integer', enum: [1, 2] },
          minItems: 1,
          maxItems: 2,
        },
      },
      required: ['days', 'room', 'late', 'floors'],
      additionalProperties: false,
    }),
  },
  { name: 'stop_all', description: undefined, parameters: undefined },
]

/** Texts that look like control tokens. */
const marks =
  /<[|｜][^<>\n'"{}]{1,40}[|｜]>|<\|[a-z_]+>|<[a-z_]+\|>|<\|"\|>|\[\/?[A-Z_]{3,20}\]|<\/?tool_calls?>/gu

/** Starts an engine with random weights, the chat template, and the template's marks as control tokens. */
export async function startFamily(folder: string, template: string): Promise<EmbeddedEngine> {
  const chatTemplate = templateSource(template)
  const tokens = [...new Set(chatTemplate.match(marks) ?? [])].map((text) => [text, 'control'])
  const modelPath = join(folder, `${template}.gguf`)
  const combination = { chatTemplate, tokens: Object.fromEntries(tokens) }
  const weights = { contextTokens: 8192 }
  writeFileSync(modelPath, combinedGguf({ vocabulary: 'gpt-2', weights, ...combination }))
  return await startEngine({ modelPath, slots: 1 })
}

type Reply = { text: string; calls: { name: string; arguments: string }[]; isWhole: boolean }

/** Asks for a reply, and reads its calls. */
export async function ask(
  engine: EmbeddedEngine,
  format: Extract<ReplyFormat, { type: 'tools' }>,
  seed: number,
): Promise<Reply> {
  const messages = [{ role: 'user', content: 'Book a room.' }] as const
  const prompt = await engine.prepare(messages, never, { format })
  const reader = new ToolCallReader(toolFormOf(engine.info.dialect.toolForm), format.tools)
  const reply: Reply = { text: '', calls: [], isWhole: false }
  const add = ({ text, calls }: ReturnType<ToolCallReader['push']>): void => {
    reply.text += text
    for (const delta of calls)
      if (delta.type === 'call') reply.calls.push({ name: delta.name, arguments: '' })
      else reply.calls[delta.call]!.arguments += delta.text
  }
  const sampling = { temperature: 1, topP: 1, topK: 0, minP: 0, seed }
  const request = { prompt, sampling, format, maxTokens: 3000, stop: [], cacheScope: 'test' }
  for await (const event of engine.generate(request, never))
    if (event.type === 'delta') add(reader.push(event.text))
    else reply.isWhole = event.reason === 'stop' && reader.hasCalled
  add(reader.finish())
  return reply
}
