// Serves one model for pull.ts with the tests' local hub. A separate process lets it use another core.
import { randomFillSync } from 'node:crypto'
import { randomGguf } from '../../test/support/gguf/random-gguf.ts'
import { LocalHub } from '../../test/support/hub/local-hub.ts'
import { fileName, repo } from './pulled-file.ts'

const bytes = Number(process.argv[2])
const head = randomGguf()
const content = Buffer.alloc(bytes)
randomFillSync(content)
head.copy(content)
const hub = await LocalHub.start({ [repo]: { files: { [fileName]: content } } })
// Hashes the file once, before the first download.
await fetch(`${hub.url}/api/models/${repo}/revision/main?blobs=true`)
process.on('message', (bytesPerSecond: number) => {
  hub.bytesPerSecond = bytesPerSecond > 0 ? bytesPerSecond : undefined
  process.send?.({})
})
process.on('disconnect', () => process.exit())
process.send?.({ url: hub.url, storageUrl: hub.storageUrl })
