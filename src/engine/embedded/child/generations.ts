import type { GenerationRequest, SampledLogprob, TokenLogprob } from '../../engine.ts'
import type { StepEvent } from '../ipc.ts'
import type { Grammars } from './grammars.ts'
import type { LoadedModel } from './model/load-model.ts'
import { decodeStepEvents, type NativeEvent } from './step-events.ts'
import { TextAssembler } from './text-assembler.ts'

type Running = {
  readonly assembler: TextAssembler
  tokens: number
  /** Log-probabilities for the next token: of that token first, then of the most likely ones. */
  candidates: Candidate[]
}

type Candidate = { readonly token: number; readonly logprob: number }

/** The generations that run in the engine; turns their tokens into text. */
export class Generations {
  readonly #model: LoadedModel
  readonly #grammars: Grammars
  readonly #running = new Map<number, Running>()

  constructor(model: LoadedModel, grammars: Grammars) {
    this.#model = model
    this.#grammars = grammars
  }

  start(id: number, { stop, prompt, format, ...generation }: GenerationRequest): void {
    const grammar = format && this.#grammars.compile(format)
    this.#running.set(id, { assembler: new TextAssembler(stop), tokens: 0, candidates: [] })
    const { tokens, replies } = prompt
    this.#model.engine.submit({ id, prompt: tokens, replies, grammar, ...generation })
  }

  abort(id: number): void {
    if (this.#running.has(id)) this.#model.engine.abort(id)
  }

  /** Converts the events of one native step into those for the parent. */
  takeStep(native: Int32Array): StepEvent[] {
    const events: StepEvent[] = []
    for (const event of decodeStepEvents(native)) {
      // After a stop sequence a generation has ended here, and ends natively one step later.
      const running = this.#running.get(event.id)
      if (running !== undefined) this.#takeEvent(events, running, event)
    }
    return events
  }

  #takeEvent(events: StepEvent[], running: Running, event: NativeEvent): void {
    const { id } = event
    switch (event.kind) {
      case 'started':
        events.push({ type: 'started', id, cachedTokens: event.cachedTokens })
        break
      case 'token':
        this.#takeToken(events, id, running, event.token)
        break
      case 'logprob':
        running.candidates.push({ token: event.token, logprob: event.logprob })
        break
      case 'stop':
      case 'length':
      case 'aborted':
        this.#finish(events, id, running, event.kind)
        break
      case 'failed':
        this.#running.delete(id)
        events.push({ type: 'failed', id })
    }
  }

  #takeToken(events: StepEvent[], id: number, running: Running, token: number): void {
    running.tokens += 1
    const { text, stopped } = running.assembler.push(this.#model.vocabulary.bytesOf(token))
    const logprobs = this.#takeLogprobs(running)
    const last = events.at(-1)
    if (last?.type === 'delta' && last.id === id) {
      events[events.length - 1] = appendToDelta(last, text, logprobs)
    } else {
      events.push({ type: 'delta', id, text, tokens: 1, ...(logprobs && { logprobs }) })
    }
    if (!stopped) return
    this.#model.engine.abort(id)
    this.#running.delete(id)
    events.push({ type: 'finish', id, reason: 'stop', completionTokens: running.tokens })
  }

  /**
   * Returns undefined where none were requested. Special tokens have none, because they have no
   * text.
   */
  #takeLogprobs(running: Running): SampledLogprob[] | undefined {
    const [sampled, ...top] = running.candidates
    if (sampled === undefined) return undefined
    running.candidates = []
    const bytes = this.#model.vocabulary.bytesOf(sampled.token)
    if (bytes.length === 0) return []
    const describe = (candidate: Candidate) => this.#describe(candidate)
    return [{ ...describe(sampled), top: top.map(describe) }]
  }

  #describe({ token, logprob }: Candidate): TokenLogprob {
    const bytes = this.#model.vocabulary.bytesOf(token)
    // A special token, such as the end of a turn, is shown by its name.
    const text = bytes.length > 0 ? decoder.decode(bytes) : this.#model.vocabulary.textOf(token)
    return { text, bytes: [...bytes], logprob }
  }

  #finish(
    events: StepEvent[],
    id: number,
    running: Running,
    nativeReason: 'stop' | 'length' | 'aborted',
  ): void {
    this.#running.delete(id)
    const { text, stopped } = running.assembler.finish()
    if (text !== '') events.push({ type: 'delta', id, text, tokens: 0 })
    const reason = stopped && nativeReason === 'length' ? 'stop' : nativeReason
    events.push({ type: 'finish', id, reason, completionTokens: running.tokens })
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Delta = Extract<StepEvent, { type: 'delta' }>

function appendToDelta(last: Delta, text: string, logprobs: SampledLogprob[] | undefined): Delta {
  const all = logprobs && { logprobs: [...(last.logprobs ?? []), ...logprobs] }
  return { ...last, text: last.text + text, tokens: last.tokens + 1, ...all }
}
