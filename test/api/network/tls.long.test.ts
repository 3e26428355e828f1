import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSocket } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { selfSigned } from '../../support/tls/self-signed.ts'

/** First bytes of a TLS handshake. They announce a record of 512 bytes that is never sent. */
const beginning = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])

test('a TLS handshake that does not end is cut after the 10 s that headers have (T14)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-tls-'))
  const { cert, key } = selfSigned()
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const service = await startTestService({
    environment: {
      PIPIT_TLS_CERT: join(folder, 'cert.pem'),
      PIPIT_TLS_KEY: join(folder, 'key.pem'),
    },
  })
  try {
    const startMs = performance.now()
    const closedMs = [[], [beginning]].map(
      (sent) =>
        new Promise<number>((resolve) => {
          const socket = openSocket(service.url)
          for (const bytes of sent) socket.write(bytes)
          const drip = setInterval(() => socket.write(Buffer.alloc(1)), 1000)
          if (sent.length === 0) clearInterval(drip)
          socket.on('error', () => {}).resume()
          socket.on('close', () => {
            clearInterval(drip)
            resolve(performance.now() - startMs)
          })
        }),
    )
    for (const ms of await Promise.all(closedMs)) {
      expect(ms).toBeGreaterThan(9000)
      expect(ms).toBeLessThan(20_000)
    }
  } finally {
    await service.close()
    rmSync(folder, { recursive: true })
  }
})
