// An engine process that has been taken over: `startLyingEngine` starts it in place of the real one. It answers honestly,
// except to a conversation that names one of the lies.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import process from 'node:process'
import { serialize } from 'node:v8'
import { MessageChannel } from '../../../src/engine/embedded/channel/message-channel.ts'
import {
  channelDescriptor,
  type ChildMessage,
  type ParentMessage,
} from '../../../src/engine/embedded/ipc.ts'

const [, , startsFile = '/dev/null', device = 'cpu'] = process.argv
appendFileSync(startsFile, `${performance.timeOrigin}\n`)

const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true })
stream.once('close', () => process.exit())
/** Lies; the first token of a conversation's prompt is the index of its lie. */
const lies = [
  'none',
  'unknown ids',
  'late tokens',
  'two ends',
  'late after abort',
  'endless tokens',
  'an endless count',
  'a strange logprob',
] as const
const fatalLies = [
  'no event',
  'no message',
  'too many events',
  'no value',
  'half a value',
  'a length of 4 GB',
  'a crash',
  'alternate crashes',
  'an early crash',
  'a late crash',
  'a prompt that crashes once',
  'a failed start',
  'no start',
] as const
const all: readonly string[] = [...lies, ...fatalLies]

const tellers = new Map<number, string>()

const channel = new MessageChannel(stream, Infinity, {
  onMessage: (message) => receive(message as ParentMessage),
  onFault: () => process.exit(1),
})

function receive(message: ParentMessage): void {
  if (message.type === 'start') {
    send({ type: 'loaded', model: facts })
    const progress = { progress: 1, slotsBusy: 0 }
    setInterval(() => send({ type: 'heartbeat', progress }), message.settings.heartbeatMs)
  } else if (message.type === 'prepare') {
    const text = JSON.stringify(message.messages)
    const lie = Math.max(
      0,
      all.findIndex((name) => text.includes(name)),
    )
    // Gives different conversations different tokens.
    const sum = Buffer.from(text).reduce((total, byte) => total + byte, 0)
    const prompt = { tokens: Int32Array.of(lie, sum, 2), replies: new Int32Array() }
    send({ type: 'prepared', id: message.id, prompt })
  } else if (message.type === 'generate') {
    generate(message.id, all[message.request.prompt.tokens[0] ?? 0] ?? 'none')
  } else if (message.type === 'abort') {
    step(delta(message.id, 'late '), finish(message.id, 'aborted'))
    if (tellers.has(message.id)) step(delta(message.id, 'later '), finish(message.id, 'stop'))
  } else if (message.type === 'close') process.exit()
}

type Step = Extract<ChildMessage, { type: 'step' }>['events']
const started = (id: number): Step[number] => ({ type: 'started', id, cachedTokens: 0 })
const delta = (id: number, text: string): Step[number] => {
  return { type: 'delta', id, text, tokens: 1, sampled: [1] }
}
const finish = (id: number, reason: 'stop' | 'aborted'): Step[number] => {
  return { type: 'finish', id, reason, completionTokens: 2 }
}

function generate(id: number, lie: string): void {
  tellers.set(id, lie)
  if (failsEarly(id, lie)) return
  step(started(id), delta(id, 'good '))
  switch (lie) {
    case 'unknown ids':
      step(delta(id + 1000, 'foreign '), finish(id + 1000, 'stop'), started(0))
      break
    case 'late tokens':
      step(delta(id, 'reply'), finish(id, 'stop'), delta(id, ' late'), started(id))
      return
    case 'two ends':
      step(delta(id, 'reply'), finish(id, 'stop'), finish(id, 'stop'))
      step(finish(id, 'aborted'))
      return
    case 'late after abort':
      return
    case 'endless tokens': {
      const sampled = Array.from({ length: 200_000 }, () => 1)
      step({ type: 'delta', id, text: '', tokens: sampled.length, sampled }, finish(id, 'stop'))
      return
    }
    case 'an endless count':
      step({ type: 'finish', id, reason: 'stop', completionTokens: 2 ** 52 })
      return
    case 'a strange logprob': {
      const logprob = { text: 'reply', bytes: [], logprob: 0, top: [], more: 1n }
      step({ ...delta(id, 'reply'), logprobs: [logprob] } as Step[number], finish(id, 'stop'))
      return
    }
    case 'no event':
      sendAny({ type: 'step', events: [{ type: 'delta', id, text: 5, tokens: 1, sampled: [1] }] })
      return
    case 'no message':
      sendAny(['step', { id }])
      return
    case 'too many events':
      sendAny({ type: 'step', events: Array.from({ length: 5000 }, () => delta(id, 'x')) })
      return
    case 'no value':
      stream.write(framed(Buffer.from('this is no serialized value')))
      return
    case 'half a value':
      stream.write(framed(serialize({ type: 'step', events: [] }).subarray(0, 9)))
      return
    case 'a length of 4 GB':
      stream.write(Buffer.alloc(4, 0xff))
      return
    case 'a crash':
      process.kill(process.pid, 'SIGSEGV')
      return
    case 'alternate crashes': {
      // Crashes in the first and the third process that generates it, and never ends in the second one.
      const turns = `${startsFile}.turns`
      appendFileSync(turns, '.')
      if (readFileSync(turns).length % 2 === 1) process.kill(process.pid, 'SIGSEGV')
      return
    }
  }
  step(delta(id, 'reply'), finish(id, 'stop'))
}

/** Tells the lies that come before the prompt is begun. Returns false for all others. */
function failsEarly(id: number, lie: string): boolean {
  switch (lie) {
    case 'a late crash':
      // Begins only the second choice.
      if (tellers.size === 1) return true
      step(started(id))
      process.kill(process.pid, 'SIGSEGV')
      return true
    case 'a prompt that crashes once': {
      const crashed = `${startsFile}.crashed`
      if (existsSync(crashed)) return false
      writeFileSync(crashed, '')
      step(started(id))
      process.kill(process.pid, 'SIGSEGV')
      return true
    }
    case 'an early crash':
      process.kill(process.pid, 'SIGSEGV')
      return true
    case 'a failed start':
      step({ type: 'failed', id })
      return true
    case 'no start':
      return true
    default:
      return false
  }
}

/** Prefixes the content with its length. */
function framed(content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

function step(...events: Step): void {
  send({ type: 'step', events })
}

function send(message: ChildMessage): void {
  sendAny(message)
}

function sendAny(message: unknown): void {
  channel.send(message)
}

const facts = {
  modelSha256: '0'.repeat(64),
  slots: 4,
  contextTokens: 512,
  vocabularyTokens: 512,
  kvBytes: 0,
  availableBytes: 0,
  device,
  isOnGpu: device !== 'cpu',
  kernels: 'llama.cpp',
  ownWeightsShare: 0,
  kernelsDifference: undefined,
  sandbox: [],
  dialect: { variables: [] },
  fingerprint: 'fp_lying',
}
