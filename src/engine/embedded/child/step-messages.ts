import type { SampledLogprob } from '../../engine.ts'
import type { ChildMessage, StepEvent } from '../ipc.ts'

/** Longest text and longest thought in one `delta`, in UTF-16 code units. */
const textCharsMax = 64 * 1024
/** Maximum number of log-probabilities in one `delta`, and their size in bytes if there is more than one. */
const entriesMax = 256
const entriesBytesMax = 1024 * 1024
/** Maximum number of events in one message, and their size in bytes if there is more than one. */
const eventsMax = 512
const messageBytesMax = 4 * 1024 * 1024
/** Size of an event, or of a log-probability, without its texts. Roughly what V8's serialisation takes. */
const membersBytes = 128

type Delta = Extract<StepEvent, { type: 'delta' }>
type StepMessage = Extract<ChildMessage, { type: 'step' }>

/**
 * Returns the messages for the events of one step: mostly one, and none without events. A reply can release much text at
 * once, because white space and the log-probabilities of undecided tokens are held back. Such text is divided, so that
 * the parent never gets an event or a message above its limits.
 */
export function stepMessages(events: readonly StepEvent[]): StepMessage[] {
  const messages: StepMessage[] = []
  let current: StepEvent[] = []
  let bytes = 0
  for (const event of events.flatMap(divide)) {
    const size = sizeOfEvent(event)
    if (current.length === 0 || current.length === eventsMax || bytes + size > messageBytesMax) {
      current = []
      bytes = 0
      messages.push({ type: 'step', events: current })
    }
    current.push(event)
    bytes += size
  }
  return messages
}

/** Divides a large delta: first its thought, then its text and log-probabilities. Its tokens come first. */
function divide(event: StepEvent): StepEvent[] {
  if (event.type !== 'delta') return [event]
  const { text, logprobs, reasoning, reasoningTokens } = event
  const thoughts = divideText(reasoning ?? '')
  const texts = divideText(text)
  const entries = divideEntries(logprobs ?? [])
  if (thoughts.length <= 1 && texts.length <= 1 && entries.length <= 1) return [event]
  const partOf = (thought: string, answer: string, some: readonly SampledLogprob[]): Delta => ({
    type: 'delta',
    id: event.id,
    text: answer,
    tokens: 0,
    sampled: [],
    ...(logprobs !== undefined && { logprobs: some }),
    ...(reasoning !== undefined && { reasoning: thought, reasoningTokens: 0 }),
  })
  const parts = thoughts.map((thought) => partOf(thought, '', []))
  for (let at = 0; at < Math.max(texts.length, entries.length); at++)
    parts.push(partOf('', texts[at] ?? '', entries[at] ?? []))
  const { tokens, sampled } = event
  return parts.map((part, at) => {
    if (at > 0) return part
    return { ...part, tokens, sampled, ...(reasoning !== undefined && { reasoningTokens }) }
  })
}

/** Divides a text between two characters. */
function divideText(text: string): string[] {
  const pieces: string[] = []
  let begin = 0
  while (begin < text.length) {
    let end = begin + textCharsMax
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    pieces.push(text.slice(begin, end))
    begin = end
  }
  return pieces
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function divideEntries(entries: readonly SampledLogprob[]): SampledLogprob[][] {
  const groups: SampledLogprob[][] = []
  let group: SampledLogprob[] = []
  let bytes = 0
  for (const entry of entries) {
    const size = sizeOfEntry(entry)
    if (group.length === 0 || group.length === entriesMax || bytes + size > entriesBytesMax) {
      group = []
      bytes = 0
      groups.push(group)
    }
    group.push(entry)
    bytes += size
  }
  return groups
}

function sizeOfEvent(event: StepEvent): number {
  if (event.type !== 'delta') return membersBytes
  const { text, reasoning = '', sampled, logprobs = [] } = event
  const entriesBytes = logprobs.reduce((sum, entry) => sum + sizeOfEntry(entry), 0)
  return membersBytes + 2 * (text.length + reasoning.length) + 5 * sampled.length + entriesBytes
}

function sizeOfEntry(entry: SampledLogprob): number {
  let bytes = 0
  for (const one of [entry, ...entry.top])
    bytes += membersBytes + 2 * one.text.length + 3 * one.bytes.length
  return bytes
}
