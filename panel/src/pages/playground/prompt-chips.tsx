import { Button, Text } from '@mantine/core'
import { useId } from 'react'
import type { Draft } from '../../playground/draft.ts'
import { defaultSettings } from '../../playground/settings.ts'
import { type TypicalUse, typicalUses } from '../../samples.ts'
import classes from './playground.module.css'

type PromptChipsProps = {
  draft: Draft
  /** Called with the prompt and with settings that include the schema it needs. */
  onChoose: (change: Pick<Draft, 'input' | 'columns'>) => void
}

/** Offers a prompt for each typical use while the conversation is empty. */
export function PromptChips({ draft, onChoose }: PromptChipsProps) {
  const labelId = useId()
  if (draft.messages.length > 0 || draft.replies.length > 0) return null
  return (
    <div className={classes['chips']} role="group" aria-labelledby={labelId}>
      <Text size="sm" c="dimmed" id={labelId}>
        Try a prompt
      </Text>
      {typicalUses.map((use) => (
        <Button
          key={use.label}
          variant="default"
          size="xs"
          radius="xl"
          title={use.content}
          onClick={() => onChoose(choose(draft, use))}
        >
          {use.label}
        </Button>
      ))}
    </div>
  )
}

const schemas = typicalUses.flatMap(({ schema }) => schema ?? [])

function choose({ columns }: Draft, { content, schema, temperature }: TypicalUse) {
  const [first = defaultSettings, ...others] = columns
  // Clear the settings of an earlier chip, but keep the user's own.
  const isOwn = first.format !== '' && !schemas.includes(first.schema)
  const cleared = schemas.includes(first.schema)
    ? { ...first, format: '', schema: '', temperature: '' }
    : first
  const settings =
    schema === undefined || isOwn
      ? cleared
      : {
          ...cleared,
          format: 'json_schema',
          schema,
          temperature: temperature === undefined ? '' : String(temperature),
        }
  return { input: content, columns: [settings, ...others] }
}
