import BetterSqlite3 from 'better-sqlite3'
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { TestService } from '../service.ts'
import { cookiesOf, postPanel, type Signed } from './panel.ts'

type Facts = {
  /** If false, the authenticator does not ask for a fingerprint or a PIN. */
  userVerified?: boolean
}

const path = '/auth/passkey'
const userPresent = 0x01
const userVerifiedFlag = 0x04
const hasCredential = 0x40

/** An authenticator in software with one passkey (ES256). It signs what a browser on `localhost` would sign. */
export class Authenticator {
  readonly #service: Pick<TestService, 'url'>
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(16)
  #uses = 0

  constructor(service: Pick<TestService, 'url'>) {
    this.#service = service
  }

  /** Adds the passkey to the user, and returns the last response. */
  async add(
    user: Signed,
    password: string,
    { userVerified = true }: Facts = {},
  ): Promise<Response> {
    const asked = await user.post(`${path}/generate-register-options`, { password })
    if (!asked.ok) return asked
    const client = this.#clientData('webauthn.create', await asked.json())
    const flags = userPresent | hasCredential | (userVerified ? userVerifiedFlag : 0)
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      byteString(Buffer.concat([this.#data(flags), this.#credential()])),
    ])
    const response = {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }
    const body = { name: 'laptop', response: { ...this.#reply(), response } }
    return user.post(`${path}/verify-registration`, body, {
      cookie: `${user.cookie}; ${cookiesOf(asked)}`,
    })
  }

  /** Signs in with the passkey, and returns the last response. */
  async signIn({ userVerified = true }: Facts = {}): Promise<Response> {
    const url = `${this.#service.url}/panel/api${path}/generate-authenticate-options`
    const asked = await fetch(url)
    if (!asked.ok) return asked
    const client = this.#clientData('webauthn.get', await asked.json())
    const data = this.#data(userPresent | (userVerified ? userVerifiedFlag : 0))
    const sign = createSign('sha256')
      .update(data)
      .update(createHash('sha256').update(client).digest())
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign.sign(this.#keys.privateKey).toString('base64url'),
    }
    const body = { response: { ...this.#reply(), response } }
    const cookie = cookiesOf(asked)
    return postPanel(this.#service, `${path}/verify-authentication`, body, { cookie })
  }

  #reply() {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  }

  #clientData(type: string, options: unknown): Buffer {
    const { challenge } = options as { challenge: string }
    const origin = this.#service.url.replace('127.0.0.1', 'localhost')
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #data(flags: number): Buffer {
    this.#uses += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#uses)
    return Buffer.concat([
      createHash('sha256').update('localhost').digest(),
      Buffer.of(flags),
      count,
    ])
  }

  /** The attested credential: an authenticator without a model, the id and the public key in COSE. */
  #credential(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (text: string) => byteString(Buffer.from(text, 'base64url'))
    return Buffer.concat([
      Buffer.alloc(16),
      Buffer.of(0, this.#id.length),
      this.#id,
      Buffer.from('a5010203262001', 'hex'),
      Buffer.of(0x21),
      coordinate(x),
      Buffer.of(0x22),
      coordinate(y),
    ])
  }
}

/** Makes the user's sessions two days old. */
export function ageSessions({ dataDir }: Pick<TestService, 'dataDir'>, { me }: Pick<Signed, 'me'>) {
  const began = new Date(Date.now() - 2 * 86_400_000).toISOString()
  const db = new BetterSqlite3(join(dataDir, 'pipit.db'))
  db.prepare('update sessions set created_at = ? where user_id = ?').run(began, me.user.id)
  db.close()
}

/** Writes a byte string of at most 255 bytes in CBOR. */
function byteString(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x58, bytes.length), bytes])
}
