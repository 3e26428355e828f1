import { strict as assert } from 'node:assert'
import { parentPort, workerData } from 'node:worker_threads'
import { openReadOnly } from '../sqlite/sqlite-file.ts'
import type { SqlValue } from '../statement.ts'
import { toFault } from '../storage-fault.ts'
import type { Row } from '../unit.ts'
import type { ReadResult, ToReader } from './thread-messages.ts'

assert(parentPort !== null, 'this file runs as a worker thread')
const port = parentPort
const db = openReadOnly(workerData)

port.on('message', ({ id, statement: { sql, parameters } }: ToReader) => {
  const post = (result: ReadResult) => port.postMessage(result)
  try {
    // Prepared statements are not cached, because each query runs only a few times per minute.
    const rows = db.prepare<SqlValue[], Row>(sql).all(...parameters)
    post({ type: 'read', id, rows })
  } catch (error) {
    post({ type: 'read-failed', id, fault: toFault(error) })
  }
})
