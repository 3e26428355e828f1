import { Socket } from 'node:net'
import process from 'node:process'
import { MessageChannel } from '../channel/message-channel.ts'
import {
  channelDescriptor,
  type ChildMessage,
  type ChildSettings,
  type ParentMessage,
} from '../ipc.ts'
import { layersIn } from '../sandbox/layers.ts'
import { Generations } from './generations.ts'
import { Grammars } from './grammars.ts'
import { type LoadedModel, loadMatchingAddon, loadModel } from './model/load-model.ts'
import { SettingsError } from './model/settings-error.ts'
import { Preparer } from './prepare/preparer.ts'
import { causeOf } from './prepare/refusal.ts'
import { stepMessages } from './step-messages.ts'
import { WaitingGenerations } from './waiting-generations.ts'

// The main module of the engine process. It reads no environment variables; the first message has
// its settings.
const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true })
stream.once('close', () => process.exit())
let receive = (message: ParentMessage): void => {
  if (message.type === 'start') void start(message.settings)
}
const channel = new MessageChannel(stream, Infinity, {
  // The parent is trusted.
  onMessage: (message) => receive(message as ParentMessage),
  onFault: () => process.exit(1),
})
// Ctrl-C in a terminal and a service manager's stop signal reach every process of the service. The
// parent lets running replies finish, and then closes this process.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

async function start(settings: ChildSettings): Promise<void> {
  try {
    const addon = loadMatchingAddon(settings)
    addon.dieWithParent(settings.parentPid)
    // The launcher has set up the rest of the sandbox. It could not forbid starting programs, because it
    // still had to start this one.
    const sandbox = layersIn(process.argv)
    if (sandbox.includes('seccomp')) addon.refusePrograms()
    let generations: Generations | undefined
    const model = await loadModel(settings, addon, {
      onStep: (native) => {
        for (const message of stepMessages(generations?.takeStep(native) ?? [])) send(message)
      },
      onProgress: (share) => send({ type: 'loading', share }),
    })
    const grammars = new Grammars()
    generations = new Generations(model)
    const preparer = new Preparer(model, grammars, send)
    const waiting = new WaitingGenerations(generations, grammars, preparer, send)
    serve(model, preparer, waiting, settings)
    send({ type: 'loaded', model: { ...model.facts, sandbox } })
  } catch (error) {
    // The parent reports the cause and ends this process.
    const fault = error instanceof SettingsError ? 'settings' : 'model'
    send({ type: 'failed', fault, cause: causeOf(error) })
  }
}

function serve(
  model: LoadedModel,
  preparer: Preparer,
  generations: WaitingGenerations,
  settings: ChildSettings,
): void {
  const heartbeat = setInterval(() => {
    const { progress, slotsBusy } = model.engine.progress()
    // While a generation waits for its grammar, only the preparing thread makes progress. Its jobs say nothing of slots
    // that are busy.
    const prepared = slotsBusy === 0 ? preparer.progress : 0
    send({ type: 'heartbeat', progress: { progress: progress + prepared, slotsBusy } })
  }, settings.heartbeatMs)
  receive = (message) => {
    switch (message.type) {
      case 'start':
        break
      case 'prepare':
        preparer.prepare(message)
        break
      case 'cancel':
        preparer.cancel(message.id)
        break
      case 'generate':
        generations.start(message)
        break
      case 'abort':
        generations.abort(message.id)
        break
      case 'close':
        clearInterval(heartbeat)
        void Promise.all([preparer.close(), model.engine.close()])
          .then(() => channel.end())
          .then(() => process.exit())
    }
  }
}

function send(message: ChildMessage): void {
  // When the parent has gone, this process is about to exit, and the message is lost.
  channel.send(message)
}
