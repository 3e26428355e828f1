/** A change that breaks the code on purpose. The named tests must fail with it, or they prove nothing. */
export type Sabotage = {
  /** The fault, threat or goal: `F06`. */
  id: string
  /** The change, as a sentence about the broken service, for docs/reliability.md. */
  breaks: string
  /** The file to change, relative to the repository. */
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  /** The test file, relative to the repository, and a part of the title of the test that must fail. */
  test: { file: string; title: string }
}
