import { createTransport } from 'nodemailer'
import { deliveryTimeoutMs } from './alert-limits.ts'
import type { Attempt } from './alert-deliveries.ts'

/** A mail server, the sender and the recipients of alerts. */
export type MailSettings = {
  host: string
  port: number
  /** TLS from the start, STARTTLS before anything else is sent, or none. */
  encryption: 'tls' | 'starttls' | 'none'
  user: string | undefined
  password: string | undefined
  from: string
  to: readonly string[]
}

type Mail = { id: string; subject: string; text: string }

/** Sends one e-mail over SMTP. Never throws. */
export async function sendMail(
  settings: MailSettings,
  { id, subject, text }: Mail,
  signal: AbortSignal,
): Promise<Attempt> {
  const { host, port, encryption, user, password, from, to } = settings
  const transport = createTransport({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: deliveryTimeoutMs,
    greetingTimeout: deliveryTimeoutMs,
    socketTimeout: deliveryTimeoutMs,
    dnsTimeout: deliveryTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A server that sends a line now and then never runs into the socket timeout, so the whole attempt has its own.
  const timeout = AbortSignal.timeout(deliveryTimeoutMs)
  const ending = AbortSignal.any([signal, timeout])
  try {
    // Every attempt has the same id, so that a mailbox can recognise a duplicate.
    const messageId = `<${id}@pipit>`
    const mail = { from, to: [...to], subject, text, messageId, signal: ending }
    const { response, rejected } = await transport.sendMail(mail)
    if (rejected.length === 0) return { delivered: true, result: response }
    // The other recipients have it, so another attempt would send it to them again.
    const result = `Refused for ${rejected.map(addressOf).join(', ')}`
    return { delivered: false, isFinal: true, result }
  } catch (error) {
    if (timeout.aborted)
      return { delivered: false, result: `Not sent in ${deliveryTimeoutMs / 1000} s` }
    return { delivered: false, result: error instanceof Error ? error.message : 'Not sent' }
  } finally {
    transport.close()
  }
}

function addressOf(recipient: string | { address: string }): string {
  return typeof recipient === 'string' ? recipient : recipient.address
}
