import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProcess, type ServeProcess } from '../support/process.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess()
})
afterAll(() => service.dispose())

test('the service listens on loopback only, and its engine does not listen (T1, T2)', () => {
  const loopback = '0100007F'
  expect(listenersOf(service.pid).map((address) => address.split(':')[0])).toEqual([
    loopback,
    loopback,
  ])
  expect(listenersOf(service.enginePid()!)).toEqual([])
})

/** Lists the listening addresses of a process from /proc, in hexadecimal. */
function listenersOf(pid: number): string[] {
  const listening = new Map<string, string>()
  for (const table of ['tcp', 'tcp6'])
    for (const line of readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1)) {
      const [, address = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      if (state === '0A') listening.set(inode, address)
    }
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''
    return listening.get(inode) ?? []
  })
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The descriptor was closed after the folder was listed.
    return ''
  }
}
