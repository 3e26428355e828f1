import { at, must, show, textOf } from './rule.ts'

/** JSON Schema of the object that the rules on formats and tools request. */
export const person = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
  },
  required: ['name', 'age'],
  additionalProperties: false,
}
export const about = {
  messages: [{ role: 'user', content: 'Ada is 36 years old.' }],
  max_tokens: 128,
}

/** Returns the reply's JSON object, or undefined if the reply was cut and its finish_reason says so. @throws Broken */
export function mustBeJson(reply: unknown): unknown {
  const text = textOf(reply)
  if (at(reply, 'choices', 0, 'finish_reason') === 'length') return undefined
  const found = parseText(text)
  must(typeof found === 'object' && found !== null && !Array.isArray(found), show(text))
  return found
}

/** @param found undefined if the reply was cut @throws Broken */
export function mustBePerson(found: unknown): void {
  if (found === undefined) return
  const [name, age] = [at(found, 'name'), at(found, 'age')]
  const ages = typeof age === 'number' && Number.isInteger(age) && age >= 0 && age <= 150
  must(typeof name === 'string' && Array.from(name).length <= 12 && ages, show(found))
  must(Object.keys(found as object).length === 2, show(found))
}

/** @throws Broken */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    must(false, `not JSON: ${show(text)}`)
  }
}
