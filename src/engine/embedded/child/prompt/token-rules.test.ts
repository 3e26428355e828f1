import { describe, expect, test } from 'vitest'
import { applyTokenRules, type PromptPiece } from './prompt-pieces.ts'

const [bos, user, end] = [1, 2, 3]
const noRules = {
  firstToken: undefined,
  trimsBefore: new Set<number>(),
  trimsAfter: new Set<number>(),
}

test('a prompt begins once with the token that the file asks for', () => {
  const rules = { ...noRules, firstToken: bos }
  const pieces: PromptPiece[] = [{ token: user }, { text: 'Hi' }]
  expect(applyTokenRules(pieces, rules)).toEqual([{ token: bos }, ...pieces])
  expect(applyTokenRules([{ token: bos }, ...pieces], rules)).toEqual([{ token: bos }, ...pieces])
  expect(applyTokenRules([], rules)).toEqual([{ token: bos }])
  expect(applyTokenRules(pieces, noRules)).toEqual(pieces)
})

describe('tokens that take white space', () => {
  const rules = { ...noRules, trimsBefore: new Set([end]), trimsAfter: new Set([user]) }

  test('take that of the text beside them', () => {
    const pieces: PromptPiece[] = [
      { token: user },
      { text: '\n  Hi \n' },
      { token: end },
      { text: '\nHo' },
    ]
    expect(applyTokenRules(pieces, rules)).toEqual([
      { token: user },
      { text: 'Hi' },
      { token: end },
      { text: '\nHo' },
    ])
  })

  test('leave nothing of a text of white space, and no other space', () => {
    const pieces: PromptPiece[] = [
      { token: user },
      { text: ' \t\n\v\f\r' },
      { token: user },
      { text: '\u00a0Hi' },
    ]
    expect(applyTokenRules(pieces, rules)).toEqual([
      { token: user },
      { token: user },
      { text: '\u00a0Hi' },
    ])
  })

  test('move the mark of an earlier reply', () => {
    const pieces: PromptPiece[] = [{ token: user }, { text: '\nHello', replyAt: 1 }]
    expect(applyTokenRules(pieces, rules)).toEqual([{ token: user }, { text: 'Hello', replyAt: 0 }])
  })
})
