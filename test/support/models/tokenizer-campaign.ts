import assert from 'node:assert/strict'
import type { NativeEngine } from '../../../src/engine/embedded/child/addon.ts'
import { Vocabulary } from '../../../src/engine/embedded/child/prompt/vocabulary.ts'
import { randomNumbers } from '../random/random-numbers.ts'
import { fuzzedTexts } from './fuzzed-texts.ts'

/** Number of texts that are joined into one that is long enough to be tokenised in parts. */
const joinedTexts = 500

/**
 * Tokenises each hostile text in parts, as the service does with long ones, and as a whole. The tokens must be the
 * same, and must give the text back where the vocabulary has a token for each byte.
 * @returns the number of texts that were refused
 */
export async function fuzzTokenizer(engine: NativeEngine, count: number, seed: number) {
  const check = tokenizerCheck(engine)
  const { specialTexts, userDefinedTexts } = engine.vocabulary()
  const ownTexts = [specialTexts, userDefinedTexts].flatMap((texts) => Object.values(texts))
  const nextText = fuzzedTexts(
    randomNumbers(seed),
    [...ownTexts, '<|im_end|>'].filter((text) => text !== ''),
  )
  let refused = 0
  let joined = ''
  for (let index = 1; index <= count; index++) {
    const text = nextText()
    if (!(await check(text))) refused++
    joined += `${text}two words`
    if (index % joinedTexts > 0) continue
    await check(joined)
    joined = ''
  }
  return refused
}

/** Returns a function that throws when a text is tokenised wrongly, and returns false when it is refused. */
function tokenizerCheck(engine: NativeEngine): (text: string) => Promise<boolean> {
  const vocabulary = new Vocabulary(engine)
  const special = new Map([...vocabulary.specialTexts].map(([text, token]) => [token, text]))
  const bytesOf = (token: number): Uint8Array => {
    const text = special.get(token)
    return text === undefined ? vocabulary.bytesOf(token) : Buffer.from(text)
  }
  return async (text) => {
    let whole: Int32Array
    try {
      whole = engine.tokenize(text)
    } catch (error) {
      assert.match(
        String(error),
        /too long rows of spaces or digits|too many characters that are tokens/,
      )
      return false
    }
    const [inParts = new Int32Array()] = await engine.tokenizeInBackground([text]).tokens
    assert.deepEqual(inParts, whole, JSON.stringify(text))
    if (vocabulary.tokenBytesMax === undefined) return true
    const written = Buffer.concat([...whole].map(bytesOf)).toString()
    // Some vocabularies write ▁ for a space.
    const spaced = (one: string) => Buffer.from(one.replaceAll('▁', ' ')).toString('hex')
    assert.equal(spaced(written), spaced(text), JSON.stringify(text))
    return true
  }
}
