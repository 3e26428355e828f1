import { SchemaRefused } from '../grammar.ts'

export function join(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`
  return path === '' ? part : `${path}.${part}`
}

export function refused(path: string, what: string): SchemaRefused {
  return new SchemaRefused(path, `\`${keywordOf(path)}\` ${what}.`)
}

export function invalid(path: string, what: string): SchemaRefused {
  const where = path === '' ? 'The schema' : `\`${keywordOf(path)}\``
  return new SchemaRefused(path, `${where} is not valid JSON Schema: ${what}.`)
}

function keywordOf(path: string): string {
  return (path.split('.').at(-1) ?? path).slice(0, 100)
}
