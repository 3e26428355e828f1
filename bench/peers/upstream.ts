// An OpenAI-compatible upstream that answers immediately, so that a benchmark measures only the overhead of gateways.
import { createServer, type ServerResponse } from 'node:http'

const words = ['The ', 'museum ', 'opens ', 'at ', 'ten ', 'on ', 'Sundays', '.']
const common = { id: 'chatcmpl-0', created: 0, model: 'svc-o1-mini' }
const usage = { prompt_tokens: 9, completion_tokens: words.length, total_tokens: 9 + words.length }

const models = JSON.stringify({ object: 'list', data: [{ id: common.model, object: 'model' }] })
const whole = JSON.stringify({
  ...common,
  object: 'chat.completion',
  choices: [choice({ message: { role: 'assistant', content: words.join('') } }, 'stop')],
  usage,
})
const chunks = [
  [choice({ delta: { role: 'assistant', content: '' } })],
  ...words.map((content) => [choice({ delta: { content } })]),
  [choice({ delta: {} }, 'stop')],
].map((choices) => toEvent(choices))
const usageChunk = toEvent([], { usage })

createServer((request, response) => {
  if (request.method === 'GET') {
    send(response, 'application/json', models)
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as {
      stream?: boolean
      stream_options?: { include_usage?: boolean }
    }
    if (body.stream) stream(response, body.stream_options?.include_usage ?? false)
    else send(response, 'application/json', whole)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')

function stream(response: ServerResponse, withUsage: boolean): void {
  response.setHeader('content-type', 'text/event-stream')
  for (const chunk of chunks) response.write(chunk)
  if (withUsage) response.write(usageChunk)
  response.end('data: [DONE]\n\n')
}

function send(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type)
  response.setHeader('content-length', Buffer.byteLength(body))
  response.end(body)
}

function choice(part: object, finishReason: string | null = null): object {
  return { index: 0, ...part, finish_reason: finishReason }
}

function toEvent(choices: object[], more: object = {}): string {
  const chunk = { ...common, object: 'chat.completion.chunk', choices, ...more }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
