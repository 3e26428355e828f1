import type { Dialect } from '../../src/engine/dialect/dialect.ts'
import { templateSource } from '../../test/support/models/release-files.ts'
import type { FamilyFacts } from './models-page.ts'
import { ownTemplates } from './own-templates.ts'

/** Returns the source of a template by its name in `families.ts`. */
export function familyTemplate(name: string): string {
  return ownTemplates[name] ?? templateSource(name)
}

/** Returns what the table of families says about a model with this dialect. */
export function dialectFacts({
  reasoning,
  toolForm,
}: Dialect): Pick<FamilyFacts, 'reasoning' | 'tools'> {
  const form = reasoning?.form === 'channels' ? 'channels' : reasoning?.begin
  return { reasoning: form, tools: toolForm }
}
