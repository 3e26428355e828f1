import { Errors } from 'typebox/schema'
import { indentJson, isObject, parseJson } from './json-text.ts'

type CheckedJson =
  | { state: 'broken'; fault: string }
  /** `faults` is undefined if the schema cannot be checked here. */
  | { state: 'whole'; pretty: string; faults: readonly string[] | undefined }

const faultsMax = 10

/** Checks a reply against a schema. @param schema JSON text. If it is not a JSON object, any valid JSON passes. */
export function checkJson(text: string, schema: string): CheckedJson {
  const parsed = parseJson(text)
  if ('fault' in parsed) return { state: 'broken', fault: parsed.fault }
  return {
    state: 'whole',
    pretty: indentJson(text),
    faults: findFaults(schema, parsed.value),
  }
}

function findFaults(schema: string, value: unknown): string[] | undefined {
  const parsed = parseJson(schema)
  if ('fault' in parsed || !isObject(parsed.value)) return []
  return findErrors(parsed.value, value)
    ?.slice(0, faultsMax)
    .map(
      ({ instancePath, message }) =>
        `${instancePath === '' ? 'The reply' : instancePath} ${message}.`,
    )
}

/** Returns undefined for a schema with a pattern that the service accepts, but a RegExp with the flag `u` does not. */
function findErrors(schema: Record<string, unknown>, value: unknown) {
  try {
    const [, errors] = Errors(schema, value)
    return errors
  } catch {
    return undefined
  }
}
