import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A completion request that the upstream received. */
type Asked = {
  readonly body: Record<string, unknown>
  readonly headers: IncomingMessage['headers']
  /** Resolves when the connection closes before the response is complete. */
  readonly hungUp: Promise<void>
}

/** Answers one completion request, truthfully or not. */
export type Script = (response: ServerResponse, asked: Asked) => unknown

export type ScriptedUpstream = Awaited<ReturnType<typeof startUpstream>>

type UpstreamOptions = {
  /** Answers completions; each test may replace it. */
  readonly script?: Script
  /** Answers the completions of probes. Default: one token. */
  readonly probe?: Script
  readonly model?: string
  readonly contextTokens?: number
  /** Number of tokens of each prompt, by `/tokenize`. */
  readonly promptTokens?: number
  readonly host?: string
  /** Default: any free one. */
  readonly port?: number
}

/** Starts an upstream that speaks like vLLM on a real socket, and answers completions as a script says. */
export async function startUpstream(options: UpstreamOptions = {}) {
  const { model = 'real-model', contextTokens = 4096, promptTokens = 3000 } = options
  const { host = '127.0.0.1' } = options
  const upstream = {
    script: options.script ?? say('Hello', ' there', '.'),
    probe: options.probe ?? ((response: ServerResponse) => json(response, probeReply)),
    /** Completion requests, without those of probes. */
    asked: [] as Asked[],
    probes: 0,
    /** Answers `/v1/models`; each test may replace it. */
    models: (response: ServerResponse): unknown =>
      json(response, { data: [{ id: model, max_model_len: contextTokens }] }),
    modelsRead: 0,
    /** Answers `/metrics`; each test may replace it. */
    metrics: (response: ServerResponse): unknown => {
      response.statusCode = 404
      return response.end()
    },
    metricsRead: 0,
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request)
      const { promise: hungUp, resolve } = Promise.withResolvers<void>()
      response.once('close', () => response.writableFinished || resolve())
      const asked = { body, headers: request.headers, hungUp }
      const { url = '' } = request
      switch (url) {
        case '/health':
          return void response.end('ok')
        case '/v1/models':
          upstream.modelsRead += 1
          return void upstream.models(response)
        case '/metrics':
          upstream.metricsRead += 1
          return void upstream.metrics(response)
        case '/tokenize':
          return json(response, countOfVllm(promptTokens, contextTokens))
        case '/v1/chat/completions/input_tokens':
          return json(response, { input_tokens: promptTokens })
        case '/v1/chat/completions':
          if (body['stream'] !== true) {
            upstream.probes += 1
            return void (await upstream.probe(response, asked))
          }
          upstream.asked.push(asked)
          return void (await upstream.script(response, asked))
        default:
          response.statusCode = 404
          response.end()
      }
    })()
  })
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(upstream, {
    url: `http://${host}:${port}`,
    /** Ends all connections; new ones are accepted. */
    cut: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function countOfVllm(count: number, max_model_len: number): object {
  return { count, max_model_len, tokens: Array.from({ length: count }, (_, i) => 100_000 + i) }
}

/** Reports a load as vLLM does. */
export function report(running: number, waiting: number): (response: ServerResponse) => unknown {
  const labels = '{engine="0",model_name="real-model"}'
  return (response) =>
    response.end(
      `# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running${labels} ${running}.0\n` +
        `vllm:num_requests_waiting${labels} ${waiting}.0\n` +
        `vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 99.0\n`,
    )
}

const probeReply = { choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'length' }] }

/** The usage that a truthful upstream reports. */
export const truth = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 }

/** Returns a script that replies with these pieces and the usage `truth`. */
export function say(...pieces: string[]): Script {
  return (response) => {
    open(response)
    for (const content of pieces) send(response, chunk({ content }))
    send(response, chunk({}, 'stop'))
    send(response, { choices: [], usage: truth })
    finish(response)
  }
}

export function open(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

export function chunk(delta: object, finishReason: string | null = null, more: object = {}) {
  return {
    id: 'cmpl-of-the-upstream',
    model: 'a-name-that-must-not-leak',
    choices: [{ index: 0, delta, finish_reason: finishReason, ...more }],
  }
}

export function send(response: ServerResponse, event: object): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`)
}

export function finish(response: ServerResponse): void {
  response.end('data: [DONE]\n\n')
}

export function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const part of request) text += String(part)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
