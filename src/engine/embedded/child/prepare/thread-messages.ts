import type { ChatMessage, TemplateVariables } from '../../../engine.ts'
import type { ReplyFormat } from '../../../reply-format.ts'
import type { Tool } from '../../../tools.ts'
import type { RefusalReason } from '../../ipc.ts'
import type { PromptPiece, TemplateSource } from '../prompt/prompt-pieces.ts'

// Messages between the engine process and its preparing thread, which does one job at a time.

export type ThreadData = {
  readonly template: TemplateSource
  /** Shared memory with the fields of `controlFields`. */
  readonly control: Int32Array
}

/** Indexes of the fields in the shared memory. */
export const controlFields = {
  /** Id of the job that is no longer wanted. */
  cancelled: 0,
  /** 1 while the thread compiles a schema, 0 while it renders. */
  isCompiling: 1,
  /** Processor time of the thread when it began the job, in milliseconds. */
  beganCpuMs: 2,
} as const

export type ThreadJob = {
  readonly id: number
  /** The format to compile first. */
  readonly format?: ReplyFormat | undefined
  readonly workMax: number
  /** The conversation to render after that. */
  readonly conversation?:
    | {
        readonly messages: readonly ChatMessage[]
        readonly tools: readonly Tool[]
        readonly variables?: TemplateVariables | undefined
        /** Renders the content of the only message without the template. */
        readonly isPlain?: boolean | undefined
      }
    | undefined
}

export type ThreadReply =
  | {
      readonly type: 'done'
      readonly id: number
      readonly grammar: Int32Array<ArrayBuffer> | undefined
      readonly pieces: readonly PromptPiece[]
    }
  /** The schema needs more work than `workMax`. A later job may allow more. */
  | { readonly type: 'postponed'; readonly id: number }
  | { readonly type: 'cancelled'; readonly id: number }
  | ({ readonly type: 'refused'; readonly id: number } & Refusal)

export type Refusal = {
  readonly reason: RefusalReason
  readonly message: string
  /** Path to the keyword for which a schema was refused; empty for other reasons. */
  readonly path: string
}
