import { strip } from '../jinja/values/texts.ts'

/**
 * Returns the marks of a reply's only thought, if it is at the start of the reply. The begin mark may be missing,
 * because the template may have written it.
 */
export function thoughtMarks(content: string): RegExpExecArray[] {
  const marks = [...content.matchAll(/(<|\[)(\/?)(?:[a-z:]*think>|thought>|THINK\])/g)]
  const closes = marks.map(isEndMark)
  const isEnd = marks.length === 1 && closes[0] === true
  const isWhole = marks.length === 2 && closes[0] === false && closes[1] === true
  const isFirst = content.slice(0, marks[0]?.index).trim() === ''
  return isEnd || (isWhole && isFirst) ? marks : []
}

export function isEndMark([, , slash]: RegExpExecArray): boolean {
  return slash === '/'
}

/**
 * Takes a reply's only thought from its start, as chat templates do. Returns undefined if the reply has no such thought.
 */
export function splitThought(reply: string): { thought: string; rest: string } | undefined {
  const marks = thoughtMarks(reply)
  const end = marks.at(-1)
  if (end === undefined) return undefined
  const [begin] = marks
  const thoughtAt = begin === undefined || begin === end ? 0 : begin.index + begin[0].length
  return {
    thought: strip(reply.slice(thoughtAt, end.index), '\n', 'both'),
    rest: strip(reply.slice(end.index + end[0].length), '\n', 'start'),
  }
}
