import { connect, type Socket } from 'node:net'

/** Sends bytes that no HTTP client would send, and returns the status of the first response. */
export function rawStatus(url: string, text: string): Promise<number> {
  const about = JSON.stringify(text.slice(0, 80))
  return new Promise((resolve, reject) => {
    const socket = openSocket(url)
    let reply = ''
    socket.once('connect', () => socket.write(text))
    socket.setTimeout(5000, () => socket.destroy(new Error(`no reply to ${about}`)))
    socket.on('data', (bytes: Buffer) => {
      reply += bytes.toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1]
      if (status === undefined) return
      socket.destroy()
      resolve(Number(status))
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error(`closed without a reply: ${about}`)))
  })
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}
