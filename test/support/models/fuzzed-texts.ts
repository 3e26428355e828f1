/** Returns a function that returns another hostile text each time; `tokens` are texts of the vocabulary. */
export function fuzzedTexts(random: () => number, tokens: readonly string[]): () => string {
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const character = (): string => {
    const [first = 0, last = 0] = pick(ranges)
    return String.fromCodePoint(first + below(last - first + 1))
  }
  const token = (): string => {
    const text = pick(tokens)
    return random() < 0.3 ? text.slice(below(text.length)) : text
  }
  /** Returns one item, repeated. Most of these rows are short; one in a thousand has up to 20,000 repetitions. */
  const row = (): string => {
    const max = random() < 0.001 ? 20_000 : random() < 0.03 ? 500 : 12
    const item = pick([character, () => character() + character(), () => pick(words)])()
    return item.repeat(1 + below(max))
  }
  const parts = [character, row, () => pick(words), () => pick(words), token]
  return () => Array.from({ length: below(14) }, () => pick(parts)()).join('')
}

/** Words that pre-tokenizers and tokenizers treat specially. */
const words = [
  "the;Hello; world; quick;A;aB;ﬁ;ǅ;don;'s;'LL;';’t;I; a",
  ' ;  ;\n;\r\n;\n\n;\t;   \n; \n ;\v;\f;\0;\u00A0;\u3000',
  '0;12;345;1234567;٣;Ⅷ;½;.;,;!;?!;...;";(;|;_;-;/',
  'é;e\u0301;漢;字;かな;한국;ไทย;हिन्दी;العربية;שלום;ß;İ;𐐀;𝒳',
  '😀;👨‍👩‍👧;🏳️‍🌈;\u200D;\u200B;\uFEFF;\uFFFD;\uD800;\uDC00;\uD83D\uD83D',
  '▁;Ġ;Ċ;<0x0A>;<0xFF>;<;>;<|;|>;[;];<s>;</s>;<|im_end|>;<unk>',
].flatMap((line) => line.split(';'))

/** First and last code points of character classes, including lone surrogates and unassigned code points. */
const ranges = [
  '0-1f 20-7e 20-7e 7f-ff 100-24f 300-36f 370-5ff 600-6ff 900-dff e00-fff 1100-11ff 1c80-1cff',
  '2000-206f 2070-2bff 3000-30ff 4e00-9fff ac00-d7a3 d800-dfff e000-f8ff fb00-ffff',
  '10000-1f02f 1f300-1faff 20000-2ffff e0000-e01ef 10fff0-10ffff',
]
  .flatMap((line) => line.split(' '))
  .map((range) => range.split('-').map((hex) => Number.parseInt(hex, 16)))
