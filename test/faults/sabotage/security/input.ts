import type { Sabotage } from '../sabotage.ts'

const httpServer = 'src/http/connections/http-server.ts'
const jsonBody = 'src/http/request/body/json-body.ts'
const schemas = 'src/engine/grammar/compile-schema.test.ts'
const fetchesNothing = {
  file: 'test/api/network/fetches-nothing.test.ts',
  title: 'no field and no header makes the service open a connection to a URL',
}

/** Sabotages of the limits on what a request may hold, and of how it is read. */
const requestSabotages: readonly Sabotage[] = [
  {
    id: 'T13',
    breaks: 'Headers may be of any size.',
    file: httpServer,
    find: 'maxHeaderSize: headerBytesMax,',
    replace: 'maxHeaderSize: 64 * headerBytesMax,',
    test: {
      file: 'test/api/http/hostile-http.test.ts',
      title: 'too large or too many headers get 431',
    },
  },
  {
    id: 'T13',
    breaks: 'The body of a sign-in may be as large as a prompt.',
    file: 'src/http/request/body/parse-bodies.ts',
    find: 'return place === null ? smallBodyBytesMax : requestBytesMax',
    replace: 'return place === null ? requestBytesMax : requestBytesMax',
    test: {
      file: 'test/faults/callers/places.test.ts',
      title: 'a body that needs no place is small: sign-in reads no more than 64 KiB',
    },
  },
  {
    id: 'T15',
    breaks: 'Bodies may have any number of members.',
    file: jsonBody,
    find: 'if (members > jsonMembersMax)',
    replace: 'if (members > 1000 * jsonMembersMax)',
    test: {
      file: 'src/http/request/body/json-body.test.ts',
      title: 'refuses very many members, and colons inside strings do not count',
    },
  },
  {
    id: 'T15',
    breaks: 'Bytes that are not UTF-8 are replaced.',
    file: jsonBody,
    find: "new TextDecoder('utf-8', { fatal: true })",
    replace: "new TextDecoder('utf-8', { fatal: false })",
    test: { file: 'src/http/request/body/json-body.test.ts', title: 'refuses what is not UTF-8' },
  },
  {
    id: 'T15',
    breaks: 'A body that is not UTF-8 is read with its faulty bytes replaced.',
    file: jsonBody,
    find: "new TextDecoder('utf-8', { fatal: true })",
    replace: "new TextDecoder('utf-8', { fatal: false })",
    test: {
      file: 'test/api/http/hostile-http.test.ts',
      title: 'bytes that are no UTF-8',
    },
  },
  {
    id: 'T24',
    breaks: 'Any text is the name of the model.',
    file: 'src/protocol/chat/model.ts',
    find: "{ type: 'string', const: modelId }",
    replace: "{ type: 'string' }",
    test: { file: 'test/api/http/bad-requests/bad-requests.test.ts', title: 'model ' },
  },
  {
    id: 'T26',
    breaks: "The pattern of an address's port can begin anywhere, which takes quadratic time.",
    file: 'src/http/origin/client-address.ts',
    find: String.raw`/^([\d.]+):\d+$/`,
    replace: String.raw`/([\d.]+):\d+$/`,
    test: {
      file: 'tools/security/own-patterns.test.ts',
      title: 'no regular expression of the service takes long for any of many hostile texts',
    },
  },
  {
    id: 'T27',
    breaks: 'Any media type that begins like that of JSON is read.',
    file: 'src/http/request/media-type.ts',
    find: "type.toLowerCase() === 'application/json' && parameters.every(isAccepted)",
    replace: "type.toLowerCase().startsWith('application/json')",
    test: { file: 'src/http/request/media-type.test.ts', title: 'refuses ' },
  },
  {
    id: 'T28',
    breaks: 'The HTTP parser accepts requests that other programs read in another way.',
    file: httpServer,
    find: 'connectionsCheckingInterval: 2000,',
    replace: 'connectionsCheckingInterval: 2000, insecureHTTPParser: true,',
    test: {
      file: 'test/api/http/authentication.test.ts',
      title: 'malformed HTTP gets 400 and the connection ends',
    },
  },
  {
    id: 'T28',
    breaks: 'CONNECT gets no answer of the service.',
    file: 'src/http/server.ts',
    find: `  app.server.on('connect', (request, socket) =>
    refuseConnect(socket, app.connections.owesResponse(request.socket)),
  )
`,
    replace: '',
    test: { file: 'test/fuzz/regressions.test.ts', title: 'CONNECT gets a 405 with an error code' },
  },
  {
    id: 'T29',
    breaks: 'An event has the line breaks of its texts.',
    file: 'src/http/reply/sse.ts',
    find: 'return `data: ${json}\\n\\n`',
    replace: String.raw`return ${'`'}data: ${'${'}json.replaceAll('\\n', '\n')}\n\n${'`'}`,
    test: {
      file: 'src/http/reply/sse.test.ts',
      title: 'whatever a text holds, it is one line and arrives as it was',
    },
  },
  {
    id: 'T30',
    breaks: 'Images of messages are fetched.',
    file: jsonBody,
    find: '  const value = parseInOrder(text)\n',
    replace: `  const value = parseInOrder(text)
  const image = /"image_url":\\{"url":"(http[^"]+)"/.exec(text)?.[1]
  if (image !== undefined) fetch(image).catch(() => {})
`,
    test: fetchesNothing,
  },
  {
    id: 'T30',
    breaks: 'Schemas at another address are fetched.',
    file: jsonBody,
    find: '  const value = parseInOrder(text)\n',
    replace: `  const value = parseInOrder(text)
  const schema = /"\\$ref":"(http[^"]+)"/.exec(text)?.[1]
  if (schema !== undefined) fetch(schema).catch(() => {})
`,
    test: fetchesNothing,
  },
]

/** Sabotages of the limits on schemas and patterns. */
const schemaSabotages: readonly Sabotage[] = [
  {
    id: 'T25',
    breaks: 'A schema may have any number of subschemas.',
    file: 'src/engine/grammar/schemas/schema-reader.ts',
    find: 'if (this.#made >= schemaNodesMax)',
    replace: 'if (this.#made >= 1000 * schemaNodesMax)',
    test: { file: schemas, title: 'a schema whose parts nest too deep' },
  },
  {
    id: 'T25',
    breaks: 'An `enum` may have any number of values.',
    file: 'src/engine/grammar/schemas/keyword-values.ts',
    find: 'if (value.length > schemaStringsMax)',
    replace: 'if (value.length > 1000 * schemaStringsMax)',
    test: { file: schemas, title: '100,000 values' },
  },
  {
    id: 'T25',
    breaks: 'A schema may have any number of alternatives in one place.',
    file: 'src/engine/grammar/schemas/schema-logic.ts',
    find: 'if (alternatives > schemaAlternativesMax)',
    replace: 'if (alternatives > 1000 * schemaAlternativesMax)',
    test: { file: schemas, title: 'many alternatives' },
  },
  {
    id: 'T25',
    breaks: 'A string may have to be of any length.',
    file: 'src/engine/grammar/string-rules.ts',
    find: 'if (min > schemaStringCharsMax)',
    replace: 'if (min > 1000 * schemaStringCharsMax)',
    test: { file: schemas, title: 'a long minimum' },
  },
  {
    id: 'T25',
    breaks: 'The automaton of a pattern may have any number of states.',
    file: 'src/engine/grammar/patterns/pattern.ts',
    find: 'if (id >= patternStatesMax)',
    replace: 'if (id >= 1000 * patternStatesMax)',
    test: { file: schemas, title: 'a pattern with many states' },
  },
  {
    id: 'T25',
    breaks: 'A pattern may repeat its repetitions any number of times.',
    file: 'src/engine/grammar/patterns/pattern.ts',
    find: 'if (this.skips.length >= patternStatesMax)',
    replace: 'if (this.skips.length >= 1000 * patternStatesMax)',
    test: { file: schemas, title: 'a pattern that repeats repetitions' },
  },
  {
    id: 'T25',
    breaks: 'A schema may be as large as a body.',
    file: 'src/http/wire/chat/parse-format.ts',
    find: 'if (bytes > schemaBytesMax)',
    replace: 'if (bytes > 1000 * schemaBytesMax)',
    test: {
      file: 'test/api/http/bad-requests/bad-requests.test.ts',
      title: 'a bad request gets its code and param',
    },
  },
  {
    id: 'T25',
    breaks: 'The parts of a schema may nest to any depth.',
    file: 'src/engine/grammar/schemas/schema-logic.ts',
    find: 'if (within.length >= schemaDepthMax)',
    replace: 'if (within.length >= 1000 * schemaDepthMax)',
    test: { file: schemas, title: 'a schema whose parts nest too deep' },
  },
]

export const inputSabotages: readonly Sabotage[] = [...requestSabotages, ...schemaSabotages]
