import { isToolFormName } from '../tool-forms/detect-tool-form.ts'
import type { Dialect, Reasoning } from './dialect.ts'
import { dialectTextCharsMax, dialectVariablesMax } from './dialect-limits.ts'

/** Parses a dialect sent by the engine process. Returns undefined if it is invalid. */
export function parseDialect(value: unknown): Dialect | undefined {
  if (!isRecord(value)) return undefined
  const { variables, reasoning: given, toolForm } = value
  if (!isTextList(variables, dialectVariablesMax)) return undefined
  if (toolForm !== undefined && !isToolFormName(toolForm)) return undefined
  const known = { variables, ...(toolForm !== undefined && { toolForm }) }
  if (given === undefined) return known
  const reasoning = parseReasoning(given)
  return reasoning && { ...known, reasoning }
}

function parseReasoning(value: unknown): Reasoning | undefined {
  if (!isRecord(value)) return undefined
  const { form, begin, end, close, answer } = value
  if (form !== 'tags' && form !== 'channels') return undefined
  if (!isText(begin) || !isText(end) || !isText(close)) return undefined
  const marks = { form, begin, end, close } as const
  if (answer === undefined) return marks
  if (!isRecord(answer) || !isTextList(answer['begins'], answerBeginsMax)) return undefined
  const { begins, end: answerEnd, tail } = answer
  if (answerEnd !== undefined && !isText(answerEnd)) return undefined
  if (tail !== undefined && !isText(tail)) return undefined
  const ends = { ...(answerEnd && { end: answerEnd }), ...(tail && { tail }) }
  return { ...marks, answer: { begins, ...ends } }
}

const answerBeginsMax = 4

type Fields = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= dialectTextCharsMax
}

function isTextList(value: unknown, max: number): value is string[] {
  return Array.isArray(value) && value.length <= max && value.every(isText)
}
