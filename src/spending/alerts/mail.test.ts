import { describe, expect, onTestFinished, test } from 'vitest'
import { startSmtpServer } from '../../../test/support/spending/smtp-server.ts'
import { selfSigned } from '../../../test/support/tls/self-signed.ts'
import { trustCertificate } from '../../../test/support/tls/trust-certificate.ts'
import { type MailSettings, sendMail } from './mail.ts'

const certificate = selfSigned()
const login = { user: 'pipit', password: 'a long secret' }
const mail = { id: 'msg_1', subject: 'A budget is used up', text: 'Used: 12 tokens' }
const signal = new AbortController().signal

type Server = Awaited<ReturnType<typeof startSmtpServer>>

async function startServer(options: Parameters<typeof startSmtpServer>[0]): Promise<Server> {
  const server = await startSmtpServer(options)
  onTestFinished(() => server.close())
  return server
}

function send({ port }: Server, changes: Partial<MailSettings>, until = signal) {
  const settings: MailSettings = {
    host: 'localhost',
    port,
    encryption: 'none',
    user: undefined,
    password: undefined,
    from: 'pipit@example.com',
    to: ['ada@example.com'],
    ...changes,
  }
  return sendMail(settings, mail, until)
}

describe.each([
  ['TLS from the start', 'tls', { certificate, startsWithTls: true }],
  ['STARTTLS', 'starttls', { certificate }],
] as const)('an e-mail over %s', (_, encryption, options) => {
  test('is sent encrypted, after the login', async ({ skip }) => {
    trustCertificate(certificate.cert, skip)
    const server = await startServer({ ...options, login })
    expect(await send(server, { encryption, ...login })).toEqual({
      delivered: true,
      result: '250 kept',
    })
    expect(server.received).toMatchObject([
      {
        from: '<pipit@example.com>',
        to: ['<ada@example.com>'],
        text: expect.stringMatching(/^Message-ID: <msg_1@pipit>$[^]*^Used: 12 tokens$/m),
        isEncrypted: true,
      },
    ])
  })

  test('is not sent to a server whose certificate is not trusted', async () => {
    const server = await startServer(options)
    expect(await send(server, { encryption })).toEqual({
      delivered: false,
      result: expect.stringMatching(/self-signed certificate/),
    })
    expect(server.received).toEqual([])
  })
})

test('a refused login is the result, and nothing is sent', async () => {
  const server = await startServer({ login })
  const { delivered, result } = await send(server, { ...login, password: 'another' })
  expect([delivered, result]).toEqual([false, expect.stringMatching(/535 wrong user or password/)])
  expect(server.received).toEqual([])
})

test('without a login, a server that wants one refuses the e-mail', async () => {
  const server = await startServer({ login })
  expect(await send(server, {})).toMatchObject({
    delivered: false,
    result: expect.stringMatching(/530 log in first/),
  })
})

test('an attempt that is aborted, also before it begins, ends its connection', async () => {
  const server = await startServer({ isSilent: true })
  const control = new AbortController()
  const sending = send(server, {}, control.signal)
  await expect.poll(() => server.connections).toBe(1)
  control.abort()
  expect(await sending).toMatchObject({ delivered: false })
  // A silent server would end the attempt after 15 s.
  await expect.poll(() => server.connections, { timeout: 5000 }).toBe(0)
  expect(await send(server, {}, control.signal)).toMatchObject({ delivered: false })
})

test('an e-mail that one recipient does not get is not sent to the others again, and the result names the recipient', async () => {
  const server = await startServer({ refuses: 'bob@example.com' })
  expect(await send(server, { to: ['ada@example.com', 'bob@example.com'] })).toEqual({
    delivered: false,
    isFinal: true,
    result: 'Refused for bob@example.com',
  })
  expect(server.received).toHaveLength(1)
})
