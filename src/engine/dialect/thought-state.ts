import type { Reasoning, ThoughtState } from './dialect.ts'

/** Returns the state of the reply that follows a prompt with this end. */
export function thoughtStateAfter(promptEnd: string, reasoning: Reasoning): ThoughtState {
  const end = promptEnd.trimEnd()
  if (end.endsWith(reasoning.begin.trimEnd())) return 'open'
  if (reasoning.form === 'channels') return 'none'
  if (end.endsWith(reasoning.end)) return 'closed'
  // After an ended thought, some templates also write the mark that begins the answer or a turn.
  const after = reasoning.close.slice(reasoning.close.indexOf(reasoning.end)).trimEnd()
  const begins = [after, ...(reasoning.answer?.begins ?? [])]
  return begins.some((begin) => end.endsWith(begin)) ? 'closed' : 'none'
}
