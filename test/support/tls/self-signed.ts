import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type KeyPair = { cert: string; key: string }

/**
 * Makes a key and a self-signed certificate for localhost and 127.0.0.1. Needed because node:crypto can only read
 * certificates.
 */
export function selfSigned(name = 'Pipit test', validMs = 86_400_000): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(set(sequence(oid('2.5.4.3'), utf8(name))))
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const content = sequence(
    tagged(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0x40]), randomBytes(8)),
    algorithm,
    names,
    sequence(utcTime(Math.min(0, validMs) - 3_600_000), utcTime(validMs)),
    names,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(isAuthority, subjectNames)),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Encodes one value of ASN.1, as X.690 describes it. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const set = (part: Buffer) => der(0x31, part)
const tagged = (tag: number, part: Buffer) => der(tag, part)
const utf8 = (text: string) => der(0x0c, Buffer.from(text))
const octets = (part: Buffer) => der(0x04, part)

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of others) {
    const groups = [arc & 0x7f]
    for (let rest = arc >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return der(0x06, Buffer.from(bytes))
}

function utcTime(afterMs: number): Buffer {
  const digits = new Date(Date.now() + afterMs).toISOString().replaceAll(/[-:T]/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

const isAuthority = sequence(oid('2.5.29.19'), octets(sequence(der(0x01, Buffer.from([0xff])))))
const subjectNames = sequence(
  oid('2.5.29.17'),
  octets(sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))),
)
