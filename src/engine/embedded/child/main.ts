import process from 'node:process'
import { SchemaRefused } from '../../grammar/grammar.ts'
import type { ChildMessage, ChildSettings, ParentMessage, RefusalReason } from '../ipc.ts'
import { ConversationRefused } from './prompt/chat-template.ts'
import { Generations } from './generations.ts'
import { Grammars } from './grammars.ts'
import { type LoadedModel, loadMatchingAddon, loadModel } from './model/load-model.ts'
import { SettingsError } from './model/settings-error.ts'

// The main module of the engine process. It reads no environment; its settings are the first
// message.
process.once('message', (message: ParentMessage) => {
  if (message.type === 'start') void start(message.settings)
})
process.once('disconnect', () => process.exit())
// Ctrl-C in a terminal and a service manager's stop signal reach every process of the service. The
// parent lets running replies finish, and then closes this process.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

async function start(settings: ChildSettings): Promise<void> {
  try {
    const addon = loadMatchingAddon(settings)
    addon.dieWithParent(settings.parentPid)
    let generations: Generations | undefined
    const model = await loadModel(settings, addon, (native) => {
      const events = generations?.takeStep(native) ?? []
      if (events.length > 0) send({ type: 'step', events })
    })
    const grammars = new Grammars()
    generations = new Generations(model, grammars)
    serve(model, grammars, generations, settings)
    send({ type: 'loaded', model: model.facts })
  } catch (error) {
    // The parent reports the cause and ends this process.
    const fault = error instanceof SettingsError ? 'settings' : 'model'
    send({ type: 'failed', fault, cause: causeOf(error) })
  }
}

function serve(
  model: LoadedModel,
  grammars: Grammars,
  generations: Generations,
  settings: ChildSettings,
): void {
  const heartbeat = setInterval(() => {
    send({ type: 'heartbeat', progress: model.engine.progress() })
  }, settings.heartbeatMs)
  process.on('message', (message: ParentMessage) => {
    switch (message.type) {
      case 'start':
        break
      case 'prepare':
        void prepare(model, grammars, message)
        break
      case 'generate':
        generations.start(message.id, message.request)
        break
      case 'abort':
        generations.abort(message.id)
        break
      case 'close':
        clearInterval(heartbeat)
        void model.engine.close().then(() => process.disconnect())
    }
  })
}

async function prepare(
  model: LoadedModel,
  grammars: Grammars,
  { id, messages, format }: Extract<ParentMessage, { type: 'prepare' }>,
): Promise<void> {
  try {
    if (format !== undefined) grammars.compile(format)
    const tools = format?.type === 'tools' ? format.tools : []
    send({ type: 'prepared', id, prompt: await model.prompts.build(messages, tools) })
  } catch (error) {
    const path = error instanceof SchemaRefused ? error.path : ''
    send({ type: 'refused', id, reason: refusalReason(error), message: causeOf(error), path })
  }
}

function refusalReason(error: unknown): RefusalReason {
  if (error instanceof ConversationRefused) return 'conversation'
  return error instanceof SchemaRefused ? 'schema' : 'engine'
}

function send(message: ChildMessage): void {
  // After `disconnect` this process is about to exit, and the message is lost.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}
