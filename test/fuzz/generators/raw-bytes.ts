import type { Draft } from './draft.ts'
import type { Random } from './random.ts'

const valid =
  '{"model":"svc-o1-mini","messages":[{"role":"user","content":"Hi é 👍"}],"max_tokens":4,"temperature":0.5,"seed":1}'

const broken = [
  [0xff],
  [0xfe, 0xff],
  [0xc3, 0x28],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x82, 0x82, 0xac],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xef, 0xbb, 0xbf],
  [0x00],
  [0x1b],
  [0x7f],
  [0x0d, 0x0a, 0x0d, 0x0a],
  [0xe2, 0x80],
]

const numbers = [
  '1e999',
  '-1e999',
  '1e-9999',
  '9'.repeat(1000),
  `0.${'0'.repeat(1000)}1`,
  '-',
  '+1',
  '--1',
  '1e',
  '1e+',
  '00',
]

/** Makes a body from the damaged bytes of a valid one, or from other bytes. */
export function rawBytes(random: Random): Draft {
  return { body: random.oneOf(...makers.map((make) => () => make(random))) }
}

const makers: ((random: Random) => Buffer | string)[] = [
  (random) => Buffer.from(valid).subarray(0, random.integer(0, Buffer.byteLength(valid) - 1)),
  (random) => {
    const bytes = Buffer.from(valid)
    const flips = random.integer(1, 8)
    for (let flip = 0; flip < flips; flip += 1)
      bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
    return bytes
  },
  (random) => {
    const bytes = Buffer.from(valid)
    const at = random.integer(0, bytes.length)
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(random.pick(broken)),
      bytes.subarray(at),
    ])
  },
  (random) => valid.replace(/(?<=:)[\d.]+/g, () => random.pick(numbers)),
  (random) => valid.replace('4', random.pick(numbers)),
  (random) => `\ufeff`.repeat(random.integer(1, 3)) + valid,
  (random) => valid + random.pick(['\0', '}', ' {}', valid, '\n'.repeat(1000), '//', '\ufeff']),
  (random) => Buffer.from(valid, random.pick(['utf16le', 'latin1'])),
  (random) => random.bytes(random.magnitude(5000)),
  (random) =>
    random
      .pick(['[', '{"a":', '[[', '"', '{', ' ', '\\', '\t', 'n', '1'])
      .repeat(random.magnitude(400_000)),
  (random) => `{"messages":"${'\\u0000'.repeat(random.magnitude(100_000))}"}`,
  (random) => `{"messages":"${'\\ud83d'.repeat(random.magnitude(100_000))}"}`,
  (random) =>
    `{${random.list(random.magnitude(60_000), (i) => `"${i * random.pick([1, 65_536])}":0`).join()}}`,
  (random) => `{${'"a":1,'.repeat(random.magnitude(100_000))}"a":1}`,
  () => '\x1f\x8b\x08\0\0\0\0\0\0\x03',
  () => `{"__proto__":{"polluted":1},${valid.slice(1)}`,
  (random) =>
    valid.slice(0, -1) +
    `,"x":${'['.repeat(random.integer(120, 135))}${']'.repeat(random.integer(120, 135))}}`,
]
