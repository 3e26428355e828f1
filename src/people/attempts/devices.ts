import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayMs } from '../../time/durations.ts'
import { deviceDays, deviceRefreshDays } from './attempt-limits.ts'

type DevicesOptions = {
  /** The secret that signs the cookies of the panel. */
  secret: string
  now: () => number
  /** Returns the panel's URL; with https, the cookies get the attribute `Secure`. */
  url: () => string
}

type Device = { id: string; issuedMs: number }

/**
 * Remembers the browsers in which a user has signed in, by a signed cookie per user. The cookie gives no access. It
 * gives the browser its own counter of failed attempts, so that other clients cannot lock it out.
 */
export class Devices {
  readonly #options: DevicesOptions
  readonly #key: Buffer

  constructor(options: DevicesOptions) {
    this.#options = options
    this.#key = createHmac('sha256', options.secret).update('pipit devices').digest()
  }

  /** Returns the id of the browser, or undefined if the user has not signed in from it. */
  find(cookies: string | undefined, email: string): string | undefined {
    return this.#read(cookies, email)?.id
  }

  /**
   * Returns the `Set-Cookie` that remembers a signed-in user's browser; undefined if the present cookie is recent
   * enough.
   */
  remember(cookies: string | undefined, email: string): string | undefined {
    const nowMs = this.#options.now()
    const known = this.#read(cookies, email)
    if (known !== undefined && nowMs - known.issuedMs < deviceRefreshDays * dayMs) return undefined
    const device = `${known?.id ?? randomBytes(12).toString('hex')}.${nowMs}`
    const value = `${device}.${this.#sign(device, email)}`
    const secure = this.#isSecure() ? '; Secure' : ''
    const maxAge = deviceDays * 86_400
    return `${this.#nameFor(email)}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict${secure}`
  }

  #read(cookies: string | undefined, email: string): Device | undefined {
    const prefix = `${this.#nameFor(email)}=`
    const cookie = cookies?.split('; ').find((one) => one.startsWith(prefix))
    const [id, issued, signature] = cookie?.slice(prefix.length).split('.', 3) ?? []
    if (id === undefined || issued === undefined || signature === undefined) return undefined
    const right = Buffer.from(this.#sign(`${id}.${issued}`, email))
    const given = Buffer.from(signature)
    if (right.length !== given.length || !timingSafeEqual(right, given)) return undefined
    const issuedMs = Number(issued)
    return this.#options.now() - issuedMs < deviceDays * dayMs ? { id, issuedMs } : undefined
  }

  #sign(device: string, email: string): string {
    return createHmac('sha256', this.#key).update(`${device}.${email}`).digest('base64url')
  }

  /** One cookie for each user, so that several people can share a browser. */
  #nameFor(email: string): string {
    const user = createHash('sha256').update(email).digest('hex').slice(0, 16)
    return `${this.#isSecure() ? '__Host-pipit' : 'pipit'}.device_${user}`
  }

  #isSecure(): boolean {
    return this.#options.url().startsWith('https:')
  }
}
