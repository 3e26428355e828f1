import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { occupyPort } from './occupy-port.ts'

test('a port that another program has is named', async () => {
  const server = await occupyPort(0)
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expect(occupyPort(port)).rejects.toThrow(
    `Port ${port} cannot be used (EADDRINUSE). Stop the program that has it, then run this again.`,
  )
}, 10_000)
