/** Facts of one source file that the rules of `rules.ts` read. Paths are relative to the root. */
export type Source = {
  readonly path: string
  readonly lineCount: number
  readonly comments: readonly Comment[]
  readonly functions: readonly SourceFunction[]
  readonly imports: readonly Import[]
  /** Named exports; empty for C++ and Python. */
  readonly exports: readonly Export[]
}

/** Text without its markers; consecutive line comments are one comment. */
export type Comment = { readonly line: number; readonly text: string }
export type SourceFunction = {
  readonly name: string
  readonly line: number
  readonly lines: number
}
export type Import = {
  readonly line: number
  /** Candidates for the imported file, relative to the root. */
  readonly paths: readonly string[]
  readonly names: readonly string[] | 'all'
}
export type Export = { readonly line: number; readonly name: string }

/** Everything but the path and the count of lines, which need no knowledge of the language. */
export type Content = Omit<Source, 'path' | 'lineCount'>
