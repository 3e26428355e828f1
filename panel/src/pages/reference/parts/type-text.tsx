import type { Field } from '../../../reference/schema-fields.ts'
import { ReferenceLink } from './reference-link.tsx'

type TypeTextProps = {
  words: Field['type']
  /** False where links are not allowed, as in a `<summary>`. */
  hasLinks?: boolean
}

/** A type in words, with links to the objects that it names. */
export function TypeText({ words, hasLinks = true }: TypeTextProps) {
  return words.map((word, i) => {
    switch (word.kind) {
      case 'object':
        return hasLinks ? (
          <ReferenceLink key={i} address={`/docs/objects/${word.name}`}>
            {word.name}
          </ReferenceLink>
        ) : (
          <span key={i}>{word.name}</span>
        )
      case 'value':
        return <code key={i}>{word.text}</code>
      case 'text':
        return <span key={i}>{word.text}</span>
    }
  })
}
