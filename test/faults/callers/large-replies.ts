// Serves replies of some megabytes in a process of its own, whose memory `slow-readers.long.test.ts` measures. Prints
// its address and keys as JSON, and stops when its standard input ends.
import process from 'node:process'
import { addAccountWithKey } from '../../support/accounts.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'

/** A word of 8 KB; 800 of them do not fit into the buffers of a connection. */
const word = `${'Q'.repeat(8191)} `
const reply = word.repeat(800)

const service = await startTestService({ engine: scriptedEngine({ reply: () => reply }) })
const { url, key, dataDir, metricsUrl } = service
const { key: otherKey } = await addAccountWithKey({ dataDir }, 'other')
process.stdout.write(`${JSON.stringify({ url, key, otherKey, dataDir, metricsUrl })}\n`)
process.stdin.resume().once('end', () => void service.close())
