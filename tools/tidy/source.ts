/** Facts of one source file that the rules of `rules.ts` read. Paths are relative to the root. */
export type Source = {
  readonly path: string
  readonly lineCount: number
  readonly comments: readonly Comment[]
  /** Test titles and error texts of TypeScript and JavaScript. */
  readonly texts: readonly Comment[]
  /** Functions of C++ only; linters count the lines of other languages. */
  readonly functions: readonly SourceFunction[]
  /** Paths of the repository's files that it imports, for TypeScript and JavaScript. */
  readonly imports: readonly string[]
}

/** Text without its markers; consecutive line comments are one comment. */
export type Comment = { readonly line: number; readonly text: string }
export type SourceFunction = {
  readonly name: string
  readonly line: number
  readonly lines: number
}

/** Facts that a language's reader finds: all but the path and the line count. */
export type Content = Omit<Source, 'path' | 'lineCount'>
