/** Puzzles per proof. The time for many small puzzles varies less than for one large puzzle. */
const puzzles = 16
const sliceMs = 30

const constants = roots(64, 1 / 3)
const initial = roots(8, 1 / 2)
const schedule = new Int32Array(64)

/**
 * Solves the challenge of a refused sign-in by finding 16 numbers, one per puzzle. The challenge's digest, the puzzle's
 * index and the number are hashed together with SHA-256. The hash must begin with at least as many zero bits as the
 * challenge asks for. Has its own SHA-256, because `crypto.subtle` is missing over plain HTTP.
 */
export async function solveChallenge(challenge: string): Promise<string> {
  const bits = Number.parseInt(challenge, 10)
  const block = firstBlock(challenge)
  const solutions: number[] = []
  let pauseAtMs = performance.now() + sliceMs
  for (let number = 0; solutions.length < puzzles; number++) {
    block[8] = solutions.length
    block[9] = number
    if (leadingZeros(block) >= bits) {
      solutions.push(number)
      number = -1
    }
    // Pauses between slices keep the page responsive.
    if ((number & 1023) !== 0 || performance.now() < pauseAtMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    pauseAtMs = performance.now() + sliceMs
  }
  return `${challenge}.${solutions.join('-')}`
}

/**
 * Returns the padded 40-byte message: the challenge's digest, the puzzle's index, and the number. The caller sets the
 * index and the number.
 */
function firstBlock(challenge: string): Int32Array {
  const block = new Int32Array(16)
  block.set(sha256(new TextEncoder().encode(challenge)))
  block[10] = 0x80000000
  block[15] = 40 * 8
  return block
}

/** Returns the leading zero bits of the block's digest, at most 32. */
function leadingZeros(block: Int32Array): number {
  return Math.clz32(at(compress(initial, block), 0))
}

function sha256(message: Uint8Array): Int32Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, message.length * 8)
  let state = initial
  for (let offset = 0; offset < padded.length; offset += 64)
    state = compress(
      state,
      Int32Array.from({ length: 16 }, (_, i) => view.getInt32(offset + 4 * i)),
    )
  return state
}

/** The compression function of SHA-256 (FIPS 180-4, 6.2.2). */
function compress(state: Int32Array, block: Int32Array): Int32Array {
  const w = expand(block)
  let a = at(state, 0)
  let b = at(state, 1)
  let c = at(state, 2)
  let d = at(state, 3)
  let e = at(state, 4)
  let f = at(state, 5)
  let g = at(state, 6)
  let h = at(state, 7)
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(w, i)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  return Int32Array.of(
    at(state, 0) + a,
    at(state, 1) + b,
    at(state, 2) + c,
    at(state, 3) + d,
    at(state, 4) + e,
    at(state, 5) + f,
    at(state, 6) + g,
    at(state, 7) + h,
  )
}

function expand(block: Int32Array): Int32Array {
  const w = schedule
  w.set(block)
  for (let i = 16; i < 64; i++) {
    const x = at(w, i - 15)
    const y = at(w, i - 2)
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1
  }
  return w
}

function at(words: Int32Array, i: number): number {
  return words[i] ?? 0
}

/** Returns the first 32 fractional bits of `prime ** power` for the first `count` primes. */
function roots(count: number, power: number): Int32Array {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++)
    if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return Int32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32)
}
