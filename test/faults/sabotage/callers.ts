import type { Sabotage } from './sabotage.ts'

const jsonBody = 'src/http/request/body/json-body.ts'
const jsonBodyTest = 'src/http/request/body/json-body.test.ts'

/** Sabotages of the limits on callers that send too much, too slowly, or data that no real client sends. */
export const callerSabotages: readonly Sabotage[] = [
  {
    id: 'F10',
    breaks: 'All that clients have not read is kept, however much it is.',
    file: 'src/completions/admission/admission.ts',
    find: `    service: unreadBytesMax,
    account: unreadBytesOfAccountMax,
    'API key': unreadBytesOfKeyMax,
`,
    replace: `    service: Infinity,
    account: Infinity,
    'API key': Infinity,
`,
    test: {
      file: 'test/faults/callers/slow-readers.long.test.ts',
      title: '200 clients that read a byte a second or nothing are cut and billed',
    },
  },
  {
    id: 'F11',
    breaks: 'The headers of a request may take for ever.',
    file: 'src/http/connections/http-server.ts',
    find: 'headersTimeout: headersTimeoutMs,',
    replace: 'headersTimeout: 0,',
    test: {
      file: 'test/faults/slow-clients.long.test.ts',
      title: '2,000 half-open requests do not delay other requests, and are closed at the deadline',
    },
  },
  {
    id: 'F12',
    breaks:
      'Node refuses a request with an unknown `Expect` header by itself, without an error code.',
    file: 'src/http/server.ts',
    find: "app.server.on('checkExpectation',",
    replace: "app.server.on('neverEmitted',",
    test: {
      file: 'test/fuzz/regressions.test.ts',
      title: 'an unknown Expect header is ignored, and gets no 417 without an error code',
    },
  },
  {
    id: 'F13',
    breaks: 'The account that began to wait first is served first, however much it got already.',
    file: 'src/completions/admission/fair-order.ts',
    find: 'line = this.#first(line.backlog, slots) ?? line',
    replace: 'line = [...line.backlog][0] ?? this.#first(line.backlog, slots) ?? line',
    test: {
      file: 'test/faults/callers/turns.test.ts',
      title: 'a caller with one request waits for the next slot, not for 100 requests of another',
    },
  },
  {
    id: 'T13',
    breaks: 'A body whose declared length is too large is read.',
    file: 'src/http/request/body/parse-bodies.ts',
    find: 'if ((declared ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)',
    replace: '',
    test: {
      file: 'test/api/http/hostile-http.test.ts',
      title: 'a body of 10 GiB is refused by its Content-Length, before it is sent',
    },
  },
  {
    id: 'T13',
    breaks: 'A body without a declared length has no maximum.',
    file: 'src/http/request/body/read-body.ts',
    find: 'if (size > bytesMax) throw bodyTooLarge(bytesMax)',
    replace: '',
    test: {
      file: 'test/api/http/errors.test.ts',
      title: 'a body of 2 MB is refused, announced or chunked',
    },
  },
  {
    id: 'T14',
    breaks: 'A stream waits for its reader without a limit.',
    file: 'src/http/reply/sse.ts',
    find: '        this.#slowReaderMs,\n',
    replace: '        1_000_000 + this.#slowReaderMs,\n',
    test: {
      file: 'src/http/reply/sse.test.ts',
      title: 'a reader that takes nothing is given up, and little is kept for it',
    },
  },
  {
    id: 'T15',
    breaks: 'Bodies may be nested to any depth.',
    file: jsonBody,
    find: 'if (depth > jsonDepthMax)',
    replace: 'if (depth > jsonDepthMax * 1_000_000)',
    test: { file: jsonBodyTest, title: 'refuses deep nesting of any size' },
  },
  {
    id: 'T16',
    breaks: 'A `__proto__` member whose name has escapes is accepted.',
    file: jsonBody,
    find: "if (text.includes('__proto__') || escapedProtoLetter.test(text)) assertNoProto(value)",
    replace: "if (text.includes('__proto__')) assertNoProto(value)",
    test: { file: jsonBodyTest, title: 'refuses __proto__ at any depth, however it is spelled' },
  },
  {
    id: 'T17',
    breaks: 'The temperature has no maximum.',
    file: 'src/chat-parameters.ts',
    find: '    maximum: 1,\n    default: 0.7,\n',
    replace: '    default: 0.7,\n',
    test: {
      file: 'test/api/http/hostile-input.test.ts',
      title: 'random JSON gets a 2xx or a 4xx, and the engine gets only values within bounds',
    },
  },
  {
    id: 'T18',
    breaks: 'Short prompts wait until a long one is computed.',
    file: 'src/engine/embedded/native/loop/step-loop.cc',
    find: 'prefillOrder_.record(prefillChunk(*slot, rows));',
    replace: 'prefillChunk(*slot, rows);',
    test: {
      file: 'test/contract/engine-prefill-order.test.ts',
      title: 'short prompts overtake a long one, which still makes progress',
    },
  },
  {
    id: 'T31',
    breaks: 'Pages of the panel may run inline scripts.',
    file: 'src/http/panel/panel-assets.ts',
    find: "script-src 'self'",
    replace: "script-src 'self' 'unsafe-inline'",
    test: {
      file: 'test/api/panel/assets.test.ts',
      title: 'forbids inline scripts and styles, code from strings and content of other origins',
    },
  },
  {
    id: 'T32',
    breaks: 'The error for a faulty body repeats a part of it.',
    file: jsonBody,
    find: 'throw error instanceof ServiceError ? error : invalidJson()',
    replace: "throw new ServiceError('invalid_json', String(error))",
    test: { file: jsonBodyTest, title: 'an error never repeats the body' },
  },
]
