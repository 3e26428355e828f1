import { strict as assert } from 'node:assert'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { grammarWorkMax } from '../../../../limits.ts'
import { Budget } from '../../../grammar/grammar.ts'
import { compileFormat, type ReplyFormat } from '../../../reply-format.ts'
import { detectToolForm, toolFormOf } from '../../../tool-forms/detect-tool-form.ts'
import { threadCpuMs } from '../processor-time.ts'
import { type PromptPiece, PromptRenderer } from '../prompt/prompt-pieces.ts'
import { refusalOf } from './refusal.ts'
import {
  controlFields,
  type ThreadData,
  type ThreadJob,
  type ThreadReply,
} from './thread-messages.ts'

// The main module of the preparing thread. It compiles schemas and renders conversations without delaying the
// messages and the heartbeat of the engine process.
assert(parentPort !== null, 'this file runs as a worker thread')
const port = parentPort
const { template, control }: ThreadData = workerData
const renderer = new PromptRenderer(template)
const toolForm = toolFormOf(detectToolForm(template.source))
yieldToSteps()

port.on('message', (job: ThreadJob) => {
  const reply = replyTo(job)
  const moved = reply.type === 'done' && reply.grammar !== undefined ? [reply.grammar.buffer] : []
  port.postMessage(reply, moved)
})

function replyTo({ id, format, workMax, conversation }: ThreadJob): ThreadReply {
  Atomics.store(control, controlFields.beganCpuMs, threadCpuMs())
  const budget = new Budget(workMax, () => requireWanted(id))
  try {
    const grammar = format && compile(format, budget)
    requireWanted(id)
    const pieces = conversation ? render(conversation) : []
    return { type: 'done', id, grammar, pieces }
  } catch (error) {
    if (error instanceof Unwanted) return { type: 'cancelled', id }
    if (budget.isExceeded && workMax < grammarWorkMax) return { type: 'postponed', id }
    return { type: 'refused', id, ...refusalOf(error) }
  }
}

function render({ messages, tools, variables, isPlain = false }: Conversation): PromptPiece[] {
  return isPlain
    ? renderer.renderPlain(messages[0]?.content ?? '')
    : renderer.render(messages, tools, variables)
}

type Conversation = NonNullable<ThreadJob['conversation']>

function compile(format: ReplyFormat, budget: Budget): Int32Array<ArrayBuffer> {
  Atomics.store(control, controlFields.isCompiling, 1)
  try {
    return compileFormat(format, toolForm, budget).toNumbers()
  } finally {
    Atomics.store(control, controlFields.isCompiling, 0)
  }
}

class Unwanted extends Error {
  override readonly name = 'Unwanted'
}

function requireWanted(id: number): void {
  if (Atomics.load(control, controlFields.cancelled) === id) throw new Unwanted()
}

/** Lowers this thread's priority, so that running replies get the processor first. On Linux each thread has its own. */
function yieldToSteps(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 5)
  } catch {
    // A sandbox may forbid it. The thread then shares the processor like any other.
  }
}
