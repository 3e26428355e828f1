import { type ToolFormName, toolFormOf } from '../tool-forms/detect-tool-form.ts'
import { marksOf } from '../tool-forms/tool-form.ts'

/**
 * Forms in which the loaded model writes its replies, and variables that its chat template reads. Plain data: the
 * engine process detects it, and the service uses it to read replies and requests.
 */
export type Dialect = {
  /** Set for a model that can think before it answers. */
  readonly reasoning?: Reasoning
  /** Form in which the model calls tools. Undefined if the template has none; tools are then described as text. */
  readonly toolForm?: ToolFormName
  /** Names that the chat template reads beside the messages, such as `enable_thinking`. */
  readonly variables: readonly string[]
}

/** Marks around a thought, the text that a model writes for itself before its answer. */
export type Reasoning = {
  /**
   * `tags`: at most one thought, at the start of a reply. `channels`: a sequence of messages with headers (Harmony, as
   * gpt-oss writes it), where messages in the channel `analysis` are thoughts.
   */
  readonly form: 'tags' | 'channels'
  /** Begins a thought, unless the prompt has already begun it. */
  readonly begin: string
  readonly end: string
  /** Text inserted to force the end of a thought: the end mark and everything that follows it up to the answer. */
  readonly close: string
  /** Marks around the answer, not part of its text. */
  readonly answer?: {
    /** Texts that may precede the answer; at most one does. */
    readonly begins: readonly string[]
    /** Ends an answer that was begun by one of `begins`. */
    readonly end?: string
    /** May follow `end` at the end of the reply. */
    readonly tail?: string
  }
}

/**
 * State of the reply where the prompt ends. `open`: the prompt has begun a thought. `closed`: the prompt has begun and
 * ended a thought, so none follows. `none`: the reply may begin with a thought.
 */
export const thoughtStates = ['none', 'open', 'closed'] as const
export type ThoughtState = (typeof thoughtStates)[number]

/** Returns the marks whose special tokens must appear as text in a reply. */
export function markTexts({ reasoning, toolForm }: Dialect): string[] {
  const ofCalls = toolForm === undefined ? [] : marksOf(toolFormOf(toolForm))
  if (reasoning === undefined) return [...ofCalls]
  const { begin, end, close, answer } = reasoning
  return [
    ...ofCalls,
    begin,
    end,
    close,
    ...(answer?.begins ?? []),
    ...(answer?.end ? [answer.end] : []),
    ...(answer?.tail ? [answer.tail] : []),
  ]
}

/** Dialect of a model without thoughts whose template reads only the messages. */
export const plainDialect: Dialect = { variables: [] }
