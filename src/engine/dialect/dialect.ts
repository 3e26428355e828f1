import { type ToolFormName, toolFormOf } from '../tool-forms/detect-tool-form.ts'
import { marksOf } from '../tool-forms/tool-form.ts'

/**
 * The forms in which the loaded model writes its replies, and the settings that its chat template reads.
 * Plain data: the engine process detects it, and the service reads replies and requests by it.
 */
export type Dialect = {
  /** Set for a model that can think before it answers. */
  readonly reasoning?: Reasoning
  /** The form in which the model calls tools. Undefined: the template knows none, and tools are described as text. */
  readonly toolForm?: ToolFormName
  /** Names that the chat template reads beside the messages, such as `enable_thinking`. */
  readonly variables: readonly string[]
}

/** Marks around a thought, which is the text that a model writes for itself before its answer. */
export type Reasoning = {
  /**
   * `tags`: at most one thought, at the begin of a reply. `channels`: a sequence of messages with headers
   * (Harmony, as gpt-oss writes it), of which those in the channel `analysis` are thoughts.
   */
  readonly form: 'tags' | 'channels'
  /** Begins a thought, unless the prompt has begun it. */
  readonly begin: string
  readonly end: string
  /** Written instead of the model when a thought must end: the end mark and what follows it up to the answer. */
  readonly close: string
  /** Marks around the answer that are no part of it. */
  readonly answer?: {
    /** Texts that may precede the answer; at most one does. */
    readonly begins: readonly string[]
    /** Ends the answer where one of `begins` has begun it. */
    readonly end?: string
  }
}

/**
 * State of a reply where the prompt ends: `open`: the prompt has begun a thought; `closed`: the prompt has also
 * ended it, so that none follows; `none`: the reply may begin with a thought.
 */
export const thoughtStates = ['none', 'open', 'closed'] as const
export type ThoughtState = (typeof thoughtStates)[number]

/** Returns the texts whose special tokens must be readable in a reply. */
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
  ]
}

/** A model without thoughts whose template reads nothing but the messages. */
export const plainDialect: Dialect = { variables: [] }
