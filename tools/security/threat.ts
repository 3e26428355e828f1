/** One row of docs/security.md. The text is Markdown. */
export type Threat = {
  /** The number that titles of tests carry in brackets at their end: `… is refused (T13)`. */
  readonly id: string
  readonly threat: string
  /** CVE numbers, advisories and issues of other services, or a sentence. */
  readonly precedents: readonly string[]
  /** Empty if nothing is done about it. Otherwise at least one test must carry the id. */
  readonly mitigation: string
  /** Known remaining risk; empty if there is none. */
  readonly open: string
}

export type ThreatGroup = {
  readonly title: string
  readonly threats: readonly Threat[]
}
