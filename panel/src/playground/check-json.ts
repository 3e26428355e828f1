import { Errors } from 'typebox/schema'
import { isObject, parseJson } from './json-text.ts'

type CheckedJson =
  | { state: 'broken'; fault: string }
  | { state: 'whole'; pretty: string; faults: readonly string[] }

const faultsMax = 10

/** Checks a reply against a schema. @param schema JSON text. If it is not a JSON object, any valid JSON passes. */
export function checkJson(text: string, schema: string): CheckedJson {
  const parsed = parseJson(text)
  if ('fault' in parsed) return { state: 'broken', fault: parsed.fault }
  return {
    state: 'whole',
    pretty: JSON.stringify(parsed.value, null, 2),
    faults: findFaults(schema, parsed.value),
  }
}

function findFaults(schema: string, value: unknown): string[] {
  const parsed = parseJson(schema)
  if ('fault' in parsed || !isObject(parsed.value)) return []
  const [, errors] = Errors(parsed.value, value)
  return errors
    .slice(0, faultsMax)
    .map(
      ({ instancePath, message }) =>
        `${instancePath === '' ? 'The reply' : instancePath} ${message}.`,
    )
}
