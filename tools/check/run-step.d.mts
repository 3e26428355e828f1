export type Step = {
  readonly name: string
  readonly needs?: readonly string[]
  readonly cores?: number
  readonly commands: readonly (readonly string[])[]
  readonly env?: Readonly<Record<string, string>>
  readonly tries?: number
  readonly retryMs?: number
  readonly minutes: number
  readonly stopsOthers?: boolean
  readonly results?: string
}
export type Failure = {
  readonly file: string
  readonly line: number
  readonly title: string
  readonly message: string
  readonly project: string
  readonly notes: readonly string[]
}
export type Results = {
  readonly passed: number
  readonly failed: readonly Failure[]
  readonly skipped: Readonly<Record<string, number>>
  readonly isBroken: boolean
  readonly flaky?: readonly Failure[]
}
export type Outcome = {
  readonly status: 'passed' | 'failed' | 'no answer' | 'ended'
  readonly seconds: number
  readonly log: string
  readonly text: string
  readonly isTimeUp?: boolean
  readonly results?: Results
}
export function runStep(step: Step, log: string, signal: AbortSignal): Promise<Outcome>
