import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { KeyPair } from '../tls/self-signed.ts'

type Received = { from: string; to: string[]; text: string; isEncrypted: boolean }
type SmtpOptions = {
  /** With a certificate, the server offers STARTTLS. If `startsWithTls` is true, connections begin with TLS instead. */
  readonly certificate?: KeyPair
  readonly startsWithTls?: boolean
  /** The server accepts mail only after this login. */
  readonly login?: { readonly user: string; readonly password: string }
  /** The server accepts no mail for this address. */
  readonly refuses?: string
  /** The server never replies. */
  readonly isSilent?: boolean
}

/**
 * Starts a mail server that keeps the mails it receives: RFC 5321, with STARTTLS (RFC 3207) and AUTH PLAIN (RFC 4954).
 */
export async function startSmtpServer(options: SmtpOptions = {}) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    new Conversation(options, (mail) => received.push(mail)).begin(socket)
  }
  const server = options.startsWithTls
    ? createTlsServer({ ...options.certificate }, accept)
    : createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received,
    /** Number of open connections. */
    get connections() {
      return [...sockets].filter(({ closed }) => !closed).length
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

class Conversation {
  readonly #options: SmtpOptions
  readonly #keep: (mail: Received) => void
  #socket: Socket | undefined
  #mail: Received = { from: '', to: [], text: '', isEncrypted: false }
  #isData = false
  #mayMail: boolean

  constructor(options: SmtpOptions, keep: (mail: Received) => void) {
    this.#options = options
    this.#keep = keep
    this.#mayMail = options.login === undefined
  }

  begin(socket: Socket): void {
    this.#listen(socket)
    if (this.#options.isSilent !== true) this.#reply('220 test')
  }

  get #isEncrypted(): boolean {
    return this.#socket instanceof TLSSocket
  }

  #listen(socket: Socket): void {
    this.#socket = socket
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#answer(line)
    })
  }

  #reply(line: string): void {
    this.#socket?.write(`${line}\r\n`)
  }

  #answer(line: string): void {
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1)
    if (this.#isData) return this.#addText(line)
    if (verb === 'EHLO') return this.#offer()
    if (verb === 'STARTTLS') return this.#encrypt()
    if (verb === 'AUTH') return this.#logIn(line)
    if (verb === 'QUIT') return void this.#socket?.end('221 bye\r\n')
    if (!this.#mayMail) return this.#reply('530 log in first')
    if (verb === 'MAIL') {
      this.#mail.from = line.slice(10).trim()
      return this.#reply('250 ok')
    }
    if (verb === 'RCPT') {
      const address = line.slice(8).trim()
      if (address === `<${this.#options.refuses}>`) return this.#reply('450 try later')
      this.#mail.to.push(address)
      return this.#reply('250 ok')
    }
    if (verb !== 'DATA') return this.#reply('502 unknown')
    this.#isData = true
    this.#reply('354 go on')
  }

  #offer(): void {
    const { certificate, login } = this.#options
    if (certificate !== undefined && !this.#isEncrypted) this.#reply('250-STARTTLS')
    if (login !== undefined) this.#reply('250-AUTH PLAIN')
    this.#reply('250 test')
  }

  #encrypt(): void {
    if (this.#socket === undefined) return
    this.#reply('220 go on')
    const plain = this.#socket.removeAllListeners('data')
    const secureContext = createSecureContext({ ...this.#options.certificate })
    const secure = new TLSSocket(plain, { isServer: true, secureContext })
    secure.on('error', () => {})
    this.#listen(secure)
  }

  #logIn(line: string): void {
    const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
      .toString()
      .split('\0')
    const { login } = this.#options
    this.#mayMail = user === login?.user && password === login?.password
    this.#reply(this.#mayMail ? '235 welcome' : '535 wrong user or password')
  }

  #addText(line: string): void {
    if (line !== '.') {
      this.#mail.text += `${line}\n`
      return
    }
    this.#isData = false
    this.#keep({ ...this.#mail, isEncrypted: this.#isEncrypted })
    this.#mail = { from: '', to: [], text: '', isEncrypted: false }
    this.#reply('250 kept')
  }
}
