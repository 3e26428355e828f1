import { strict as assert } from 'node:assert'
import { type ReadText, ReplyReader } from '../../dialect/reply-reader.ts'
import { logprobMin, type SampledLogprob, type TokenLogprob } from '../../engine.ts'
import { readingOf } from '../../reply-format.ts'
import type { ModelFacts, ParentMessage, StepEvent } from '../ipc.ts'
import type { NativeEngine } from './addon.ts'
import type { Vocabulary } from './prompt/vocabulary.ts'
import { decodeStepEvents, type NativeEvent } from './step-events.ts'
import { TextAssembler } from './text-assembler.ts'
import type { Thoughts } from './thoughts.ts'

/** The parts of a loaded model by which tokens are generated and become text. */
type GeneratingModel = {
  readonly engine: Pick<NativeEngine, 'submit' | 'abort'>
  readonly vocabulary: Pick<Vocabulary, 'bytesOf' | 'textOf'>
  readonly thoughts: Pick<Thoughts, 'of'> | undefined
  readonly facts: Pick<ModelFacts, 'dialect'>
}

type Running = {
  readonly stopTokens: ReadonlySet<number>
  readonly assembler: TextAssembler<SampledLogprob>
  tokens: number
  /** Log-probabilities for the next token: of that token first, then of the most likely ones. */
  candidates: Candidate[]
}

type Candidate = { readonly token: number; readonly logprob: number }

/** The generations that run in the engine. Turns their tokens into text. */
export class Generations {
  readonly #model: GeneratingModel
  readonly #running = new Map<number, Running>()

  constructor(model: GeneratingModel) {
    this.#model = model
  }

  /** Starts a generation. If it ends at once, returns its only event. */
  start(
    { id, request, known }: Extract<ParentMessage, { type: 'generate' }>,
    grammar: Int32Array | undefined,
  ): StepEvent | undefined {
    const { stop, stopTokens, prompt, format, ...generation } = request
    assert((format === undefined) === (grammar === undefined), 'a format comes as a grammar')
    const reading = readingOf(this.#model.facts.dialect, format, prompt.thought)
    const reader = new ReplyReader<SampledLogprob>(stop, reading)
    this.#running.set(id, {
      stopTokens: stopTokens === undefined ? noTokens : new Set(stopTokens),
      assembler: new TextAssembler(reader),
      tokens: 0,
      candidates: [],
    })
    const { tokens, replies } = prompt
    const thoughts = this.#model.thoughts?.of(request, grammar !== undefined)
    const native = { id, prompt: tokens, replies, known, grammar, thoughts, ...generation }
    const tokensEnough = this.#model.engine.submit(native)
    if (tokensEnough === 0) return undefined
    this.#running.delete(id)
    return { type: 'cannotFit', id, tokensEnough }
  }

  abort(id: number): void {
    if (this.#running.has(id)) this.#model.engine.abort(id)
  }

  /** Converts the events of one native step into those for the parent. */
  takeStep(native: Int32Array): StepEvent[] {
    const events: StepEvent[] = []
    for (const event of decodeStepEvents(native)) {
      // After a stop sequence, a generation has ended here already. The native engine ends it one step later.
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
    const isStop = running.stopTokens.has(token)
    const logprobs = isStop ? undefined : this.#takeLogprobs(running)
    // A stop token has no text, but it may be one of a thought.
    const bytes = isStop ? noBytes : this.#model.vocabulary.bytesOf(token)
    const read = running.assembler.push(bytes, logprobs)
    const last = events.at(-1)
    if (last?.type === 'delta' && last.id === id) {
      events[events.length - 1] = appendToDelta(last, token, read)
    } else {
      const delta = { type: 'delta', id, text: read.text, tokens: 1, sampled: [token] } as const
      events.push({ ...delta, ...thoughtOf(read), ...logprobsOf(read) })
    }
    if (isStop || read.stopped) this.#model.engine.abort(id)
    if (isStop) this.#finish(events, id, running, 'stop')
    else if (read.stopped) {
      this.#running.delete(id)
      events.push({ type: 'finish', id, reason: 'stop', completionTokens: running.tokens })
    }
  }

  /**
   * Returns undefined if no log-probabilities were requested. Special tokens have none, because they
   * have no text.
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
    return { text, bytes: [...bytes], logprob: Math.max(logprob, logprobMin) }
  }

  #finish(
    events: StepEvent[],
    id: number,
    running: Running,
    reason: 'stop' | 'length' | 'aborted',
  ): void {
    this.#running.delete(id)
    const rest = running.assembler.finish(reason !== 'stop')
    if (rest.text !== '' || (rest.reasoning ?? '') !== '' || rest.entries !== undefined)
      events.push({
        type: 'delta',
        id,
        text: rest.text,
        tokens: 0,
        sampled: [],
        ...thoughtOf(rest),
        ...logprobsOf(rest),
      })
    const ending = rest.stopped && reason === 'length' ? 'stop' : reason
    events.push({ type: 'finish', id, reason: ending, completionTokens: running.tokens })
  }
}

const noTokens: ReadonlySet<number> = new Set()
const noBytes = new Uint8Array()

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Delta = Extract<StepEvent, { type: 'delta' }>

type Read = ReadText<SampledLogprob>

function appendToDelta(last: Delta, token: number, read: Read): Delta {
  const sampled = [...last.sampled, token]
  const text = last.text + read.text
  const tokens = sampled.length
  return { ...last, text, tokens, sampled, ...thoughtOf(read, last), ...logprobsOf(read, last) }
}

/** Appends the log-probabilities of a text to those before it. Returns no members if there are none to append. */
function logprobsOf(
  { entries }: Read,
  before: Pick<Delta, 'logprobs'> = {},
): Pick<Delta, 'logprobs'> {
  return entries === undefined ? {} : { logprobs: [...(before.logprobs ?? []), ...entries] }
}

type Thought = Pick<Read, 'reasoning' | 'reasoningTokens'>

/** Appends the thought of a text to that of the text before it. Returns no members if the model has no thoughts. */
function thoughtOf({ reasoning, reasoningTokens = 0 }: Thought, before: Thought = {}): Thought {
  if (reasoning === undefined) return {}
  return {
    reasoning: (before.reasoning ?? '') + reasoning,
    reasoningTokens: (before.reasoningTokens ?? 0) + reasoningTokens,
  }
}
