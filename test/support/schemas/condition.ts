const keywords = ['if', 'then', 'else']

/** Returns `if`, `then` and `else`. */
export function condition(...schemas: [test: object, passed: object, failed?: object]): object {
  return Object.fromEntries(schemas.map((schema, index) => [keywords[index] ?? '', schema]))
}
