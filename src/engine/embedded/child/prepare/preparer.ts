import { grammarWorkMax } from '../../../../limits.ts'
import type { Prompt } from '../../../engine.ts'
import type { ReplyFormat } from '../../../reply-format.ts'
import type { ChildMessage, ParentMessage } from '../../ipc.ts'
import type { Grammars } from '../grammars.ts'
import type { LoadedModel } from '../model/load-model.ts'
import { ConversationRefused } from '../prompt/chat-template.ts'
import type { PromptPiece } from '../prompt/prompt-pieces.ts'
import { PreparingThread } from './preparing-thread.ts'
import { causeOf, refusalOf } from './refusal.ts'
import type { ThreadReply } from './thread-messages.ts'

type PrepareMessage = Extract<ParentMessage, { type: 'prepare' }>

/**
 * Prepares conversations: small ones at once, all others on the preparing thread and on the threads that
 * tokenise, so that the messages of running replies are not delayed.
 */
export class Preparer {
  readonly #model: LoadedModel
  readonly #grammars: Grammars
  readonly #thread: PreparingThread
  readonly #send: (message: ChildMessage) => void
  /** Functions that cancel the tokenising of a conversation, by its id. */
  readonly #tokenizing = new Map<number, () => void>()
  /** Id of the last compilation for a generation. Such ids are negative; those of the parent are positive. */
  #lastCompilation = 0

  constructor(model: LoadedModel, grammars: Grammars, send: (message: ChildMessage) => void) {
    this.#model = model
    this.#grammars = grammars
    this.#thread = new PreparingThread(model.prompts.source)
    this.#send = send
  }

  /** Grows with the progress of the preparing thread. */
  get progress(): number {
    return this.#thread.progress
  }

  prepare(message: PrepareMessage): void {
    const { id, messages, format, variables, isSmall, isPlain = false, workMax } = message
    const tools = format?.type === 'tools' ? format.tools : []
    const mustCompile = () => format !== undefined && this.#grammars.find(format) === undefined
    if (isSmall && !mustCompile()) {
      this.#answer(message, () =>
        isPlain
          ? this.#model.prompts.buildPlain(messages[0]?.content ?? '')
          : this.#model.prompts.build(messages, tools, variables),
      )
      return
    }
    this.#thread.add({
      id,
      job: () => ({
        id,
        format: mustCompile() ? format : undefined,
        workMax,
        conversation: { messages, tools, variables, isPlain },
      }),
      reply: (reply) => this.#take(message, reply),
    })
  }

  cancel(id: number): void {
    this.#thread.cancel(id)
    this.#tokenizing.get(id)?.()
  }

  /**
   * Compiles a format whose grammar is no longer in the cache.
   * @throws Error when it takes too long. The schema is known to be valid, because it was compiled before
   */
  async compile(format: ReplyFormat): Promise<Int32Array> {
    const compiled = Promise.withResolvers<Int32Array>()
    this.#lastCompilation -= 1
    const id = this.#lastCompilation
    const job = () => {
      const known = this.#grammars.find(format)
      if (known === undefined) return { id, format, workMax: grammarWorkMax }
      compiled.resolve(known)
      return undefined
    }
    const reply = (ended: ThreadReply): void => {
      if (ended.type === 'done' && ended.grammar !== undefined) {
        this.#grammars.keep(format, ended.grammar)
        compiled.resolve(ended.grammar)
      } else compiled.reject(new Error('the format could not be compiled again'))
    }
    this.#thread.add({ id, job, reply }, true)
    return await compiled.promise
  }

  async close(): Promise<void> {
    for (const cancel of this.#tokenizing.values()) cancel()
    await this.#thread.close()
  }

  #take(message: PrepareMessage, reply: ThreadReply): void {
    const { id, format, mustFit } = message
    if (reply.type !== 'done') {
      this.#send(reply)
      return
    }
    if (format !== undefined && reply.grammar !== undefined)
      this.#grammars.keep(format, reply.grammar)
    const tokensMin = mustFit ? this.#tokensMin(reply.pieces) : 0
    if (tokensMin >= this.#model.facts.contextTokens) this.#send({ type: 'tooLong', id, tokensMin })
    else void this.#tokenize(message, reply.pieces)
  }

  async #tokenize(message: PrepareMessage, pieces: readonly PromptPiece[]): Promise<void> {
    const { id } = message
    const { prompt, cancel } = this.#model.prompts.tokenize(pieces)
    let isCancelled = false
    this.#tokenizing.set(id, () => {
      isCancelled = true
      cancel()
    })
    try {
      this.#sendPrompt(message, await prompt)
    } catch (error) {
      if (isCancelled) this.#send({ type: 'cancelled', id })
      // The tokenizer cannot read the text.
      else
        this.#send({ type: 'refused', id, ...refusalOf(new ConversationRefused(causeOf(error))) })
    } finally {
      this.#tokenizing.delete(id)
    }
  }

  #answer(message: PrepareMessage, build: () => Prompt): void {
    try {
      this.#sendPrompt(message, build())
    } catch (error) {
      this.#send({ type: 'refused', id: message.id, ...refusalOf(error) })
    }
  }

  #sendPrompt({ id, withTexts = false }: PrepareMessage, prompt: Prompt): void {
    const texts = withTexts ? this.#model.vocabulary.textsOf(prompt.tokens) : undefined
    this.#send({ type: 'prepared', id, prompt: { ...prompt, texts } })
  }

  /** Returns a lower bound on the number of tokens in the pieces. */
  #tokensMin(pieces: readonly PromptPiece[]): number {
    const { tokenBytesMax } = this.#model.vocabulary
    if (tokenBytesMax === undefined) return 0
    let tokens = 0
    for (const piece of pieces)
      tokens += 'token' in piece ? 1 : Math.ceil(Buffer.byteLength(piece.text) / tokenBytesMax)
    return tokens
  }
}
