import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Admission } from '../../completions/admission/admission.ts'
import type { ToolCallEvent } from '../../completions/tool-call-reader.ts'
import { streamHeadersDelayMaxMs } from '../../limits.ts'
import type { ChatRequest } from '../wire/chat/parse-chat-request.ts'
import { streamCompletion } from './stream-completion.ts'

const never = new AbortController().signal
const holder = { accountId: 'acct', keyId: 'key' }
const work = { promptTokens: 10, outputTokensMax: 100 }
const head = { id: 'chatcmpl-1', created: 1, model: 'm', fingerprint: 'fp' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Opens a stream whose first event arrives when the request gets its slots. */
function streamOf(place: ReturnType<Admission['enter']>) {
  async function* events(): AsyncGenerator<ToolCallEvent, void, void> {
    place.start()
    await place.takeSlots(1, work, never)
    yield { type: 'delta', index: 0, text: 'Hi' }
  }
  const chat = { choices: 1, includeUsage: false } as ChatRequest
  return streamCompletion(chat, head, events(), { place, control: new AbortController() })
}

test('a stream that waits for long tells its position in comments, until it gets its slot', async () => {
  const admission = new Admission({ slots: 1 })
  const running = admission.enter(holder)
  running.start()
  await running.takeSlots(1, work, never)
  const [first, second] = [streamOf(admission.enter(holder)), streamOf(admission.enter(holder))]
  await vi.advanceTimersByTimeAsync(streamHeadersDelayMaxMs)
  const [{ source }, behind] = [await first, await second]
  expect(source.comment?.()).toMatch(/^queue position 1, expected wait \d+ s$/)
  expect(behind.source.comment?.()).toMatch(/^queue position 2, expected wait \d+ s$/)
  running.leave()
  await source.next()
  expect(source.comment?.()).toBeUndefined()
  expect(behind.source.comment?.()).toMatch(/^queue position 1, /)
  void admission.close(0)
  await expect(behind.source.next()).rejects.toMatchObject({ code: 'shutting_down' })
})

test('a stream that gets its slot soon has no comments', async () => {
  const { source } = await streamOf(new Admission({ slots: 1 }).enter(holder))
  expect(source.comment).toBeUndefined()
})
