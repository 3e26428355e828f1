import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

type Received = { from: string; to: string[]; text: string }

/** A mail server that speaks plain SMTP, without TLS and login, and keeps what it receives. */
export async function startSmtpServer() {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    converse(socket, (mail) => received.push(mail))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function converse(socket: Socket, keep: (mail: Received) => void): void {
  let mail: Received = { from: '', to: [], text: '' }
  let isData = false
  let rest = ''
  const reply = (line: string) => socket.write(`${line}\r\n`)
  const onLine = (line: string) => {
    if (isData) {
      if (line !== '.') {
        mail.text += `${line}\n`
        return
      }
      isData = false
      keep(mail)
      mail = { from: '', to: [], text: '' }
      reply('250 kept')
    } else if (/^(ehlo|helo)/i.test(line)) reply('250 test')
    else if (/^mail from:/i.test(line)) {
      mail.from = line.slice(10).trim()
      reply('250 ok')
    } else if (/^rcpt to:/i.test(line)) {
      mail.to.push(line.slice(8).trim())
      reply('250 ok')
    } else if (/^data/i.test(line)) {
      isData = true
      reply('354 go on')
    } else if (/^quit/i.test(line)) {
      reply('221 bye')
      socket.end()
    } else reply('502 unknown')
  }
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
  })
  reply('220 test')
}
