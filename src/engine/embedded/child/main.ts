import process from 'node:process'
import { SchemaRefused } from '../../grammar/grammar.ts'
import type { ChildMessage, ChildSettings, ParentMessage, RefusalReason } from '../ipc.ts'
import { ConversationRefused } from './chat-template.ts'
import { Generations } from './generations.ts'
import { Grammars } from './grammars.ts'
import { type LoadedModel, loadMatchingAddon, loadModel } from './model.ts'
import { SettingsError } from './settings-error.ts'

// The engine process. It reads no environment: its settings arrive in the first message.
process.once('message', (message: ParentMessage) => {
  if (message.type === 'start') void start(message.settings)
})
process.once('disconnect', () => process.exit())
// A terminal's Ctrl-C and a service manager's stop reach every process of the service. The parent
// lets running replies end, and then ends this one.
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
    // The parent reads this, says it, and ends the process.
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
  // Without a parent there is nobody to tell, and `disconnect` ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}
