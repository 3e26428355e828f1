import type { GenerationRequest, SampledLogprob, TokenLogprob } from '../../engine.ts'
import type { StepEvent } from '../ipc.ts'
import { eventKinds } from './addon.ts'
import type { Grammars } from './grammars.ts'
import type { LoadedModel } from './model.ts'
import { TextAssembler } from './text-assembler.ts'

type Running = {
  readonly assembler: TextAssembler
  tokens: number
  /** Of the next token, which stands first: candidates that were told before it. */
  candidates: { token: number; logprob: number }[]
}

/** What runs in the engine's slots, and the text that comes of its tokens. */
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

  /** One step of the engine, as the parent hears of it. */
  takeStep(native: Int32Array): StepEvent[] {
    const events: StepEvent[] = []
    for (let index = 0; index + 2 < native.length; index += 3) {
      const [id = 0, kind = 0, value = 0] = native.subarray(index, index + 3)
      // A generation that met a stop sequence ends here first, and in the engine a step later.
      const running = this.#running.get(id)
      if (running !== undefined) this.#takeEvent(events, id, running, kind, value)
    }
    return events
  }

  #takeEvent(events: StepEvent[], id: number, running: Running, kind: number, value: number): void {
    switch (kind) {
      case eventKinds.started:
        events.push({ type: 'started', id, cachedTokens: value })
        break
      case eventKinds.token:
        this.#takeToken(events, id, running, value)
        break
      case eventKinds.candidate:
        running.candidates.push({ token: value, logprob: NaN })
        break
      case eventKinds.logprob: {
        const candidate = running.candidates.at(-1)
        if (candidate !== undefined) candidate.logprob = floatOfBits(value)
        break
      }
      case eventKinds.stop:
        this.#end(events, id, running, 'stop')
        break
      case eventKinds.length:
        this.#end(events, id, running, 'length')
        break
      case eventKinds.aborted:
        this.#end(events, id, running, 'aborted')
        break
      default:
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
      events[events.length - 1] = joined(last, { text, logprobs })
    } else {
      events.push({ type: 'delta', id, text, tokens: 1, ...(logprobs && { logprobs }) })
    }
    if (!stopped) return
    this.#model.engine.abort(id)
    this.#running.delete(id)
    events.push({ type: 'finish', id, reason: 'stop', completionTokens: running.tokens })
  }

  /** Undefined where none are asked for; special tokens have none, as they have no text. */
  #takeLogprobs(running: Running): SampledLogprob[] | undefined {
    const [sampled, ...top] = running.candidates
    if (sampled === undefined) return undefined
    running.candidates = []
    const bytes = this.#model.vocabulary.bytesOf(sampled.token)
    if (bytes.length === 0) return []
    const describe = (candidate: { token: number; logprob: number }) => this.#describe(candidate)
    return [{ ...describe(sampled), top: top.map(describe) }]
  }

  #describe({ token, logprob }: { token: number; logprob: number }): TokenLogprob {
    const bytes = this.#model.vocabulary.bytesOf(token)
    // An end of turn may be among the likeliest; its name says more than nothing.
    const text = bytes.length > 0 ? decoder.decode(bytes) : this.#model.vocabulary.textOf(token)
    return { text, bytes: [...bytes], logprob }
  }

  #end(
    events: StepEvent[],
    id: number,
    running: Running,
    reason: 'stop' | 'length' | 'aborted',
  ): void {
    this.#running.delete(id)
    const { text, stopped } = running.assembler.finish()
    if (text !== '') events.push({ type: 'delta', id, text, tokens: 0 })
    const said = stopped && reason === 'length' ? 'stop' : reason
    events.push({ type: 'finish', id, reason: said, completionTokens: running.tokens })
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Delta = Extract<StepEvent, { type: 'delta' }>

function joined(
  last: Delta,
  { text, logprobs }: { text: string; logprobs: SampledLogprob[] | undefined },
): Delta {
  const all = logprobs && { logprobs: [...(last.logprobs ?? []), ...logprobs] }
  return { ...last, text: last.text + text, tokens: last.tokens + 1, ...all }
}

const floats = new Float32Array(1)
const bitsOfFloats = new Int32Array(floats.buffer)

function floatOfBits(bits: number): number {
  bitsOfFloats[0] = bits
  return floats[0] ?? NaN
}
