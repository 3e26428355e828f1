import type { Reply, Target } from './target.ts'

export type Rule = {
  /** Short and stable, for `--json` and for talking about it. */
  id: string
  /** `contract`: the interface itself. `field`: what the stock clients expect. `pipit`: what we add. */
  of: 'contract' | 'field' | 'pipit'
  says: string
  /** Throws `Broken` or `NotApplicable`. */
  check: (target: Target) => Promise<void>
}

export class Broken extends Error {
  override readonly name = 'Broken'
}

export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** @throws Broken with what was seen */
export function must(holds: boolean, saw: string): asserts holds {
  if (!holds) throw new Broken(saw)
}

export function mustSucceed(reply: Reply): unknown {
  must(reply.status >= 200 && reply.status < 300, `status ${reply.status}${excerpt(reply.text)}`)
  must(reply.json !== undefined, `a body that is not JSON${excerpt(reply.text)}`)
  return reply.json
}

export type Refusal = { status: number | readonly number[]; code?: string; param?: string | null }

/** An error in the form of the field: `{"error":{"message","type","param","code"}}`. */
export function mustRefuse(reply: Reply, { status, code, param }: Refusal): void {
  const saw = `status ${reply.status}${excerpt(reply.text)}`
  must([status].flat().includes(reply.status), saw)
  const found = (name: string) => at(reply.json, 'error', name)
  for (const name of ['message', 'type'])
    must(typeof found(name) === 'string', `no error.${name}${excerpt(reply.text)}`)
  if (code !== undefined) must(found('code') === code, `code ${show(found('code'))}`)
  if (param !== undefined) must(found('param') === param, `param ${show(found('param'))}`)
}

/** For what a server need not have. */
export function skipUnlessOffered(reply: Reply): void {
  if ([404, 405, 501].includes(reply.status))
    throw new NotApplicable(`status ${reply.status}: not offered`)
}

/** A member of a member …; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.hasOwn(found, name)
      ? (found as Record<string | number, unknown>)[name]
      : undefined
  }
  return found
}

export function textOf(completion: unknown, choice = 0): string {
  const content = at(completion, 'choices', choice, 'message', 'content')
  must(typeof content === 'string', `choices[${choice}].message.content is ${show(content)}`)
  return content
}

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

export function excerpt(text: string): string {
  return text === '' ? ', no body' : `, ${show(text)}`
}
