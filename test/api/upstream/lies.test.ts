import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  chunk,
  finish,
  json,
  open,
  say,
  type Script,
  type ScriptedUpstream,
  send,
  startUpstream,
  truth,
} from '../../support/upstream/scripted-upstream.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { question } from '../../support/service.ts'

let upstream: ScriptedUpstream
let service: Awaited<ReturnType<typeof startFrontedService>>
beforeAll(async () => {
  upstream = await startUpstream()
  service = await startFrontedService({ urls: [upstream.url] })
})
afterAll(async () => {
  await service.close()
  await upstream.close()
})
// A lie may eject the upstream; a probe admits it again.
beforeEach(() => service.isReady())

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const begin = (response: Parameters<Script>[0]) => {
  open(response)
  send(response, chunk({ role: 'assistant', content: '' }))
  send(response, chunk({ content: 'Hello' }))
  send(response, chunk({ content: ' there' }))
}
const end = (response: Parameters<Script>[0], usage?: object, reason = 'stop') => {
  send(response, chunk({}, reason))
  if (usage !== undefined) send(response, { choices: [], usage })
  finish(response)
}

const fails =
  (code: number): Script =>
  (response) => {
    begin(response)
    send(response, { error: { message: 'CUDA out of memory', code } })
    finish(response)
  }

/** Sends one streamed request, and returns the reply with its ledger entry. */
async function ask(script: Script, body: object = {}) {
  upstream.script = script
  const reply = await service.stream({
    ...question,
    stream_options: { include_usage: true },
    ...body,
  })
  const id = reply.headers.get('x-request-id')
  const row = service.ledgerRows().find((each) => each['request_id'] === id)
  return { ...reply, row, error: reply.events.at(-1)?.error }
}

describe('a lie in the middle of a reply ends it with an error event, without [DONE] (F36, F37)', () => {
  const lies: Record<string, Script> = {
    'an error event': fails(500),
    'an error event with code 400': fails(400),
    'an error event with code 429': fails(429),
    'an error event with code 503': fails(503),
    'the end of the connection without a finish reason': (response) => {
      begin(response)
      response.end()
    },
    '[DONE] without a finish reason': (response) => {
      begin(response)
      finish(response)
    },
    'a reset of the connection': async (response) => {
      begin(response)
      await wait(20)
      response.destroy()
    },
    silence: (response) => begin(response),
    'the finish reason abort': (response) => {
      begin(response)
      end(response, truth, 'abort')
    },
    'two finish reasons': (response) => {
      begin(response)
      send(response, chunk({}, 'stop'))
      end(response, truth, 'length')
    },
    'text after the finish reason': (response) => {
      begin(response)
      send(response, chunk({}, 'stop'))
      send(response, chunk({ content: ' and more' }))
      end(response, truth)
    },
    'a huge line': (response) => {
      begin(response)
      response.write(`: ${'x'.repeat(2 ** 21)}\n\n`)
      end(response, truth)
    },
    'invalid UTF-8': (response) => {
      begin(response)
      const bytes = Buffer.from(`data: ${JSON.stringify(chunk({ content: '?' }))}\n\n`)
      bytes[bytes.indexOf('?')] = 0xff
      response.write(bytes)
      end(response, truth)
    },
    'a chunk that is no JSON': (response) => {
      begin(response)
      response.end('data: {"choices": [\n\n')
    },
    'a chunk of another choice': (response) => {
      begin(response)
      send(response, { choices: [{ index: 3, delta: { content: 'x' } }] })
      end(response, truth)
    },
    'a tool call that was not asked for': (response) => {
      begin(response)
      const call = { index: 0, id: 'a', function: { name: 'erase', arguments: '{}' } }
      send(response, chunk({ tool_calls: [call] }))
      end(response, truth, 'tool_calls')
    },
    'text without end': async (response) => {
      begin(response)
      for (let i = 0; i < 3000 && !response.destroyed; i += 1) {
        send(response, chunk({ content: ' x'.repeat(200) }))
        if (i % 100 === 0) await wait(1)
      }
      end(response, truth)
    },
  }
  test.for(Object.entries(lies))('%s', async ([, script]) => {
    const { status, events, done, row, raw } = await ask(script)
    expect([status, done]).toEqual([200, false])
    expect(events.at(-1)?.error).toMatchObject({ code: 'engine_failed', type: 'server_error' })
    expect(raw).not.toContain('CUDA')
    expect(row).toMatchObject({
      state: 'final',
      outcome: 'engine_crash',
      error_code: 'engine_failed',
    })
    // The prompt and the tokens that the caller has seen are counted.
    expect(Number(row?.['prompt_tokens'])).toBeGreaterThan(0)
    expect(Number(row?.['completion_tokens'])).toBeGreaterThanOrEqual(2)
  })
})

describe('a lie before the first token keeps its own status (F35, F37)', () => {
  const lies: Record<string, [Script, status: number, code: string, outcome: string]> = {
    'status 500': [(response) => json(response, {}, 500), 500, 'engine_failed', 'engine_crash'],
    'status 429': [(response) => json(response, {}, 429), 503, 'overloaded', 'refused'],
    'status 503': [(response) => json(response, {}, 503), 503, 'overloaded', 'refused'],
    'status 529': [(response) => json(response, {}, 529), 503, 'overloaded', 'refused'],
    'a wrong key': [(response) => json(response, {}, 401), 500, 'engine_failed', 'engine_crash'],
    'a redirect': [
      (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
      500,
      'engine_failed',
      'engine_crash',
    ],
    'a page': [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        end(response, truth)
      },
      500,
      'engine_failed',
      'engine_crash',
    ],
    'an error as the first event': [
      (response) => {
        open(response)
        send(response, { error: { code: 503 } })
        finish(response)
      },
      503,
      'overloaded',
      'refused',
    ],
    'a request that it refuses': [
      (response) => json(response, { error: { message: 'no such grammar' } }, 400),
      400,
      'unsupported_value',
      'refused',
    ],
    'a prompt that is too long': [
      (response) =>
        json(response, { error: { message: "This model's maximum context length is 5" } }, 400),
      400,
      'context_length_exceeded',
      'refused',
    ],
    'no answer': [() => {}, 500, 'engine_failed', 'engine_crash'],
    'an empty stream': [
      (response) => {
        open(response)
        finish(response)
      },
      500,
      'engine_failed',
      'engine_crash',
    ],
  }
  // In these, the upstream may have computed the prompt.
  const costly = new Set(['no answer', 'an empty stream'])
  test.for(Object.entries(lies))('%s', async ([name, [script, status, code, outcome]]) => {
    upstream.script = script
    const response = await service.post(question)
    const id = response.headers.get('x-request-id')
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
    const row = service.ledgerRows().find((each) => each['request_id'] === id)
    expect(row).toMatchObject({ state: 'final', outcome, error_code: code, completion_tokens: 0 })
    expect(Number(row?.['prompt_tokens']) > 0).toBe(costly.has(name))
  })

  test('Retry-After of an upstream without room is passed on, with our jitter', async () => {
    upstream.script = (response) => response.writeHead(429, { 'retry-after': '7' }).end()
    const response = await service.post(question)
    const seconds = Number(response.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(7)
    expect(seconds).toBeLessThanOrEqual(14)
  })
})

describe('counts that cannot be are replaced by our own (F37)', () => {
  const counts: Record<
    string,
    [usage: object | undefined, prompt: 'bound' | number, completion: number]
  > = {
    'the truth': [truth, 11, 4],
    'no usage': [undefined, 'bound', 2],
    'no tokens, beside text': [{ prompt_tokens: 11, completion_tokens: 0 }, 11, 2],
    'more than max_tokens': [{ prompt_tokens: 11, completion_tokens: 1e9 }, 11, 2],
    'a negative number': [{ prompt_tokens: -5, completion_tokens: -1 }, 'bound', 2],
    'texts and fractions': [{ prompt_tokens: '11', completion_tokens: 2.5 }, 'bound', 2],
    'an endless prompt': [
      {
        prompt_tokens: 1e15,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 1e12 },
      },
      'bound',
      4,
    ],
    'more cached tokens than the prompt has': [
      { ...truth, prompt_tokens_details: { cached_tokens: 99 } },
      11,
      4,
    ],
  }
  test.for(Object.entries(counts))('%s', async ([, [usage, prompt, completion]]) => {
    const { text, done, row, events } = await ask((response) => {
      begin(response)
      end(response, usage)
    })
    expect([text, done]).toEqual(['Hello there', true])
    expect(row).toMatchObject({ outcome: 'completed', completion_tokens: completion })
    const promptTokens = Number(row?.['prompt_tokens'])
    // Upper bound: the bytes of the question, and room for the chat template.
    if (prompt === 'bound') expect(promptTokens).toBe('What is a pipit?'.length + 16 + 64)
    else expect(promptTokens).toBe(prompt)
    expect(Number(row?.['cached_tokens'])).toBeLessThanOrEqual(promptTokens)
    expect(events.at(-1)?.usage).toMatchObject({
      prompt_tokens: promptTokens,
      completion_tokens: completion,
    })
  })

  test('usage twice: the last one counts', async () => {
    const { row } = await ask((response) => {
      begin(response)
      send(response, { choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } })
      end(response, truth)
    })
    expect(row).toMatchObject({ outcome: 'completed', completion_tokens: 4 })
  })

  test('usage twice with two prompts: no more tokens are cached than the prompt that counts has', async () => {
    const { row } = await ask((response) => {
      begin(response)
      const first = { prompt_tokens: 10, completion_tokens: 3 }
      send(response, { ...chunk({ content: '.' }), usage: first })
      const details = { prompt_tokens_details: { cached_tokens: 900 } }
      end(response, { prompt_tokens: 1000, completion_tokens: 4, ...details })
    })
    expect(row).toMatchObject({ prompt_tokens: 10, cached_tokens: 10, completion_tokens: 4 })
  })

  test('more chunks of thoughts than the reply has tokens: the reply is all thoughts', async () => {
    const { row, events } = await ask((response) => {
      open(response)
      for (let i = 0; i < 10; i += 1) send(response, chunk({ reasoning_content: ' so' }))
      end(response, { prompt_tokens: 11, completion_tokens: 8 }, 'length')
    })
    expect(row).toMatchObject({ outcome: 'length', completion_tokens: 8, reasoning_tokens: 8 })
    expect(events.at(-1)?.usage).toMatchObject({
      completion_tokens: 8,
      completion_tokens_details: { reasoning_tokens: 8 },
    })
  })
})

test('log-probabilities that come with a part of a thought are left out', async () => {
  upstream.script = (response) => {
    const logprobs = (token: string) => ({ logprobs: { content: [{ token, logprob: -0.1 }] } })
    open(response)
    send(response, chunk({ reasoning_content: 'Hm.' }, null, logprobs('Hm.')))
    send(response, chunk({ content: 'Hi' }, null, logprobs('Hi')))
    end(response)
  }
  const response = await service.post({ ...question, logprobs: true })
  expect(await response.json()).toMatchObject({
    choices: [{ logprobs: { content: [{ token: 'Hi' }] } }],
  })
})

test('harmless oddities are read: CRLF, comments, a byte order mark, split characters, no [DONE]', async () => {
  const { text, row } = await ask(async (response) => {
    open(response)
    response.write('\ufeff: a comment\r\nevent: message\r\n')
    const bytes = Buffer.from(`data:${JSON.stringify(chunk({ content: 'Grüße 👩‍👧' }))}\r\n\r\n`)
    for (const byte of bytes) {
      response.write(Buffer.from([byte]))
      if (byte > 0x7f) await wait(1)
    }
    send(response, chunk({}, 'stop'))
    send(response, chunk({}, 'stop'))
    response.end()
  })
  expect(text).toBe('Grüße 👩‍👧')
  expect(row).toMatchObject({ outcome: 'completed' })
})

test('an event that arrives slowly is read: the longest pause counts from the last byte', async () => {
  const { text, row } = await ask(async (response) => {
    open(response)
    const event = chunk({ content: 'x'.repeat(1_000) })
    const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
    const partBytes = Math.ceil(bytes.length / 12)
    // 1.2 s in total, where a pause may take 0.5 s.
    for (let begin = 0; begin < bytes.length; begin += partBytes) {
      response.write(bytes.subarray(begin, begin + partBytes))
      await wait(100)
    }
    send(response, chunk({}, 'stop'))
    response.end()
  })
  expect(text).toBe('x'.repeat(1_000))
  expect(row).toMatchObject({ outcome: 'completed' })
})

test('the name of the model, the ids and the usage of the upstream never reach the client', async () => {
  upstream.script = say('Hello')
  const { raw, events } = await service.stream(question)
  expect(raw).not.toMatch(/of-the-upstream|must-not-leak|real-model/)
  expect(events.every((event) => !('usage' in event))).toBe(true)
  for (const event of events) expect(event['model']).toBe('svc-o1-mini')
})

test('a client that hangs up closes the connection to the upstream, and its tokens are counted', async () => {
  upstream.script = async (response) => {
    begin(response)
    await wait(400)
  }
  upstream.asked.length = 0
  const leaving = new AbortController()
  const response = await service.post({ ...question, stream: true }, { signal: leaving.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  leaving.abort()
  await upstream.asked[0]?.hungUp
  const id = response.headers.get('x-request-id')
  const rowOf = () => service.ledgerRows().find((each) => each['request_id'] === id)
  await expect.poll(() => rowOf()?.['outcome']).toBe('client_abort')
  expect(rowOf()).toMatchObject({ completion_tokens: 2 })
})

test('a client that hangs up before the first byte closes the connection to the upstream too', async () => {
  upstream.script = () => {}
  upstream.asked.length = 0
  const leaving = new AbortController()
  const reply = service.post(question, { signal: leaving.signal })
  reply.catch(() => {})
  await expect.poll(() => upstream.asked.length).toBe(1)
  const leftMs = performance.now()
  leaving.abort()
  await upstream.asked[0]?.hungUp
  // The connection closes at once, not after the upstream's first-byte timeout.
  expect(performance.now() - leftMs).toBeLessThan(4000)
})
