import { strict as assert } from 'node:assert'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { StartError } from '../../errors.ts'
import { ChangeListener, Changes } from '../postgres/changes.ts'
import { toPostgresFault } from '../postgres/postgres-fault.ts'
import { PostgresStore } from '../postgres/postgres-store.ts'
import type { Statement } from '../statement.ts'
import type { Unit } from '../unit.ts'
import { textRestorer } from './known-texts.ts'
import type { FromThread, ThreadSettings, ToThread } from './thread-messages.ts'

assert(parentPort !== null, 'this file runs as a worker thread')
await serve(parentPort, workerData)

/** Owns this process's connections to PostgreSQL until a `close` message. */
async function serve(port: MessagePort, settings: ThreadSettings): Promise<void> {
  const post = (message: FromThread) => port.postMessage(message)
  const { databaseUrl } = settings
  assert(databaseUrl !== undefined)
  try {
    const store = await PostgresStore.open({
      url: databaseUrl,
      serve: settings.serve,
      onUpgrade: () => post({ type: 'upgrading' }),
      onBlocked: () => post({ type: 'upgrade-blocked' }),
      onAway: (away) => post({ type: 'full', full: away }),
    })
    const changes = new Changes(() => post({ type: 'changed' }))
    const listener = await ChangeListener.start({
      url: databaseUrl,
      isOwn: (serverPid) => store.isOwn(serverPid),
      changed: () => changes.add(),
    })
    answerMessages(port, post, { store, listener, changes })
    post({ type: 'ready' })
  } catch (error) {
    const message = error instanceof StartError ? error.message : String(error)
    post({ type: 'refused', message })
  }
}

type Parts = { store: PostgresStore; listener: ChangeListener; changes: Changes }

function answerMessages(
  port: MessagePort,
  post: (message: FromThread) => void,
  { store, listener, changes }: Parts,
) {
  const restore = textRestorer()

  async function read(id: number, statement: Statement, aside: boolean): Promise<void> {
    try {
      post({ type: 'read', id, aside, rows: await store.read(statement, aside) })
    } catch (error) {
      post({ type: 'read-failed', id, aside, fault: toPostgresFault(error) })
    }
  }

  async function write(units: readonly Unit[]): Promise<void> {
    post({ type: 'written', results: await store.write(units.map(restore)) })
  }

  async function close(): Promise<void> {
    await Promise.allSettled([listener.close(), store.close()])
    post({ type: 'closed' })
    port.close()
  }

  async function answer(message: ToThread): Promise<void> {
    switch (message.type) {
      case 'write':
        return await write(message.units)
      case 'read':
        return await read(message.id, message.statement, message.aside === true)
      case 'watch':
        return changes.watch()
      case 'close':
        return await close()
    }
  }
  port.on('message', (message: ToThread) => void answer(message))
}
