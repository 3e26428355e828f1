import { argumentsBegin, callBegin, callEnd, nameBegin } from '../engine/tools.ts'
import type { CompletionEvent } from './completion.ts'

/** Part of a tool call: its name first, then pieces of its arguments. */
export type ToolCallDelta =
  | { readonly type: 'call'; readonly call: number; readonly name: string }
  | { readonly type: 'arguments'; readonly call: number; readonly text: string }

export type ToolCallEvent =
  | Exclude<CompletionEvent, { type: 'delta' | 'finish' }>
  | (Extract<CompletionEvent, { type: 'delta' }> & { calls?: readonly ToolCallDelta[] })
  | { type: 'finish'; index: number; reason: 'stop' | 'length' | 'tool_calls' }

/** Separates tool calls from the text of the choices. */
export async function* readToolCalls(
  events: AsyncIterable<CompletionEvent>,
): AsyncGenerator<ToolCallEvent, void, void> {
  const readers = new Map<number, ToolCallReader>()
  for await (const event of events) {
    if (event.type === 'usage') {
      yield event
      continue
    }
    const { index } = event
    const reader = readers.get(index) ?? new ToolCallReader()
    readers.set(index, reader)
    if (event.type === 'delta') {
      const { text, calls } = reader.push(event.text)
      if (text === '' && calls.length === 0 && event.logprobs === undefined) continue
      yield { ...event, text, ...(calls.length > 0 && { calls }) }
    } else {
      const { text, calls } = reader.finish()
      if (text !== '' || calls.length > 0)
        yield { type: 'delta', index, text, ...(calls.length > 0 && { calls }) }
      const hasCalled = event.reason === 'stop' && reader.hasCalled
      yield hasCalled ? { ...event, reason: 'tool_calls' } : event
    }
  }
}

type Read = { text: string; calls: ToolCallDelta[] }

/** Reads the format that the grammar of `compile-tools` enforces. A call that is cut off is passed on up to the cut. */
class ToolCallReader {
  #place: 'text' | 'name' | 'arguments' | 'between' = 'text'
  #pending = ''
  #call = -1

  /** True if the text ended with a complete call. */
  get hasCalled(): boolean {
    return this.#place === 'between'
  }

  push(text: string): Read {
    this.#pending += text
    const read: Read = { text: '', calls: [] }
    while (this.#step(read));
    return read
  }

  finish(): Read {
    const read: Read = { text: '', calls: [] }
    if (this.#place === 'text') read.text = this.#pending
    else if (this.#place === 'arguments') this.#addArguments(read, this.#pending)
    this.#pending = ''
    return read
  }

  /** Returns false when it needs more text. */
  #step(read: Read): boolean {
    switch (this.#place) {
      case 'text': {
        const { before, isFound } = this.#readUntil(callBegin)
        read.text += before
        if (isFound) this.#place = 'name'
        return isFound
      }
      case 'name': {
        const end = this.#pending.indexOf(argumentsBegin)
        if (end === -1) return false
        const name = this.#pending.slice(nameBegin.length, end)
        this.#call += 1
        read.calls.push({ type: 'call', call: this.#call, name })
        this.#pending = this.#pending.slice(end + argumentsBegin.length)
        this.#place = 'arguments'
        return true
      }
      case 'arguments': {
        const { before, isFound } = this.#readUntil(callEnd)
        this.#addArguments(read, before)
        if (isFound) this.#place = 'between'
        return isFound
      }
      case 'between': {
        const { isFound } = this.#readUntil(callBegin)
        if (isFound) this.#place = 'name'
        return isFound
      }
    }
  }

  #addArguments(read: Read, text: string): void {
    if (text !== '') read.calls.push({ type: 'arguments', call: this.#call, text })
  }

  /** Reads the text before `mark`. An end that may be the beginning of the mark stays pending. */
  #readUntil(mark: string): { before: string; isFound: boolean } {
    const at = this.#pending.indexOf(mark)
    let kept = Math.min(mark.length - 1, this.#pending.length)
    while (at === -1 && !this.#pending.endsWith(mark.slice(0, kept))) kept -= 1
    const end = at === -1 ? this.#pending.length - kept : at
    const before = this.#pending.slice(0, end)
    this.#pending = this.#pending.slice(at === -1 ? end : at + mark.length)
    return { before, isFound: at !== -1 }
  }
}
