import type { Draft } from './draft.ts'
import { fromValue, type Json, Members, toText } from './json-text.ts'
import type { Random } from './random.ts'
import { shortRequest } from './schema-request.ts'

const families: ((random: Random) => string)[] = [
  () => 'a',
  () => ' ',
  () => '\n',
  () => '\t \u00a0\u3000',
  () => '0',
  () => '👍',
  () => '👩‍👩‍👧‍👦🏳️‍🌈',
  () => '\u200d',
  () => '\u200b\ufeff',
  () => 'e\u0301\u0302\u0303\u0304',
  () => '\u0301',
  () => 'ﷺ',
  () => '漢',
  () => 'ab',
  () => 'a b ',
  () => "'",
  () => '\ud800',
  () => '\u0000',
  () => '\u202e',
  () => '<|im_',
  (random) => random.bytes(300).toString('base64'),
  (random) => random.bytes(300).toString('hex'),
  (random) => String.fromCharCode(...random.list(200, () => random.integer(0x20, 0xd7ff))),
  (random) =>
    random.list(40, () => random.pick(['the', 'of', 'pipit', 'Ünïcödé', 'qzxj', '42'])).join(' '),
  (random) => '()[]{}<>'.repeat(random.integer(1, 9)),
]

/** Sends worst-case text for the tokenizer: mostly kilobytes, sometimes as much as a body may hold. */
export function hostilePrompt(random: Random): Draft {
  const bytesMax = random.chance(0.04) ? 1_040_000 : 30_000
  const unit = random.pick(families)(random)
  const repeats = Math.max(1, Math.floor(random.magnitude(bytesMax) / jsonBytes(unit)))
  const text = unit.repeat(repeats)
  const members = shortRequest(random).filter(([name]) => name !== 'messages')
  return { body: toText(new Members([...members, ['messages', messagesOf(text, random)]])) }
}

function messagesOf(text: string, random: Random): Json {
  return random.oneOf<Json>(
    () => fromValue([{ role: 'user', content: text }]),
    () =>
      fromValue([
        { role: random.pick(['system', 'assistant']), content: text },
        { role: 'user', content: 'And?' },
      ]),
    () =>
      fromValue([
        {
          role: 'user',
          content: cut(text, random.integer(1, 512)).map((part) => ({ type: 'text', text: part })),
        },
      ]),
    () =>
      fromValue(
        cut(text, random.integer(1, 512)).map((part, index) => ({
          role: index % 2 === 0 ? 'user' : 'assistant',
          content: part,
        })),
      ),
  )
}

/** Cuts between any UTF-16 units, so possibly within a character. */
function cut(text: string, parts: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / parts))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}
