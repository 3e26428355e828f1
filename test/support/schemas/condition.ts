const keywords = ['if', 'then', 'else']

/** Returns a schema with the keywords `if`, `then` and, if the third schema is given, `else`. */
export function condition(...schemas: [test: object, passed: object, failed?: object]): object {
  return Object.fromEntries(schemas.map((schema, index) => [keywords[index] ?? '', schema]))
}
