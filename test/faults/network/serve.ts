// Serves the scripted engine in a process of its own, at the address of its network namespace. Prints its address and key
// as JSON, and stops when its standard input ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { addAccountWithKey } from '../../support/accounts.ts'
import { copyMigratedDatabase } from '../../support/migrated-database.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    slots: { type: 'string', default: '4' },
    words: { type: 'string', default: '100' },
    'tokens-per-second': { type: 'string', default: '0' },
  },
})
const dataDir = mkdtempSync(join(tmpdir(), 'pipit-test-'))
await copyMigratedDatabase(dataDir)
const { key } = await addAccountWithKey({ dataDir }, 'laptop')
const engine = scriptedEngine({
  slots: Number(values.slots),
  tokensPerSecond: Number(values['tokens-per-second']),
  reply: () => 'word '.repeat(Number(values.words)),
})
const environment = { PIPIT_HOST: values.host }
const { url, metricsUrl, close } = await startTestService({ engine, dataDir, environment })
process.stdout.write(`${JSON.stringify({ url, key, dataDir, metricsUrl })}\n`)
process.stdin.resume().once('end', () => {
  void close().then(() => rmSync(dataDir, { recursive: true, force: true }))
})
