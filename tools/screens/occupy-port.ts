import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { codeOf } from '../../src/storage/storage-fault.ts'

/** Listens on a port of 127.0.0.1. @throws Error that says what to do if another program has it */
export async function occupyPort(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(
      `Port ${port} cannot be used (${codeOf(error)}). Stop the program that has it, then run this again.`,
      { cause: error },
    )
  }
  return server
}
