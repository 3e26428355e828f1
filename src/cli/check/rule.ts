import type { Reply, Target } from './target.ts'

export type Rule = {
  /** Short, stable name; `--json` prints it. */
  id: string
  /**
   * Origin of the rule. `contract`: the interface requires it. `field`: common clients expect it. `pipit`: our
   * addition.
   */
  of: 'contract' | 'field' | 'pipit'
  /** One line that completes “The rule says that …”. */
  says: string
  /** Throws `Broken` or `NotApplicable`. */
  check: (target: Target) => Promise<void>
}

class Broken extends Error {
  override readonly name = 'Broken'
}

export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** @param saw the service's behaviour, for the report @throws Broken */
export function must(holds: boolean, saw: string): asserts holds {
  if (!holds) throw new Broken(saw)
}

export function mustSucceed(reply: Reply): unknown {
  must(reply.status >= 200 && reply.status < 300, `status ${reply.status}${excerpt(reply.text)}`)
  must(reply.json !== undefined, `a body that is not JSON${excerpt(reply.text)}`)
  return reply.json
}

export type Refusal = { status: number | readonly number[]; code?: string; param?: string | null }

/** Requires a status of an error. The interface leaves open which one, and what the body says. @throws Broken */
export function mustFail({ status, text }: Reply): void {
  must(status >= 400, `status ${status}${excerpt(text)}`)
}

/** Requires an error in OpenAI's form: `{"error":{"message","type","param","code"}}`. @throws Broken */
export function mustRefuse(reply: Reply, { status, code, param }: Refusal): void {
  const saw = `status ${reply.status}${excerpt(reply.text)}`
  must([status].flat().includes(reply.status), saw)
  const found = (name: string) => at(reply.json, 'error', name)
  for (const name of ['message', 'type'])
    must(typeof found(name) === 'string', `no error.${name}${excerpt(reply.text)}`)
  if (code !== undefined) must(found('code') === code, `code ${show(found('code'))}`)
  if (param !== undefined) must(found('param') === param, `param ${show(found('param'))}`)
}

/** Skips an optional feature that the service does not have. @throws NotApplicable */
export function skipUnlessOffered(reply: Reply): void {
  if ([404, 405, 501].includes(reply.status))
    throw new NotApplicable(`status ${reply.status}: not supported`)
}

/** Returns the value at a path of members, or undefined. */
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

function excerpt(text: string): string {
  return text === '' ? ', no body' : `, ${show(text)}`
}
