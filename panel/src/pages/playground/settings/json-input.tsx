import { Button, Group, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { indentJson, parseJson } from '../../../playground/json-text.ts'
import classes from '../playground.module.css'

type JsonInputProps = {
  label: string
  description: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  fault: string | undefined
}

/** A JSON field with buttons to select an error and to format valid JSON. */
export function JsonInput({ value, onChange, fault, ...labels }: JsonInputProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const parsed = value.trim() === '' ? undefined : parseJson(value)
  const offset = parsed !== undefined && 'fault' in parsed ? parsed.offset : undefined
  const showFault = () => {
    field.current?.focus()
    field.current?.setSelectionRange(offset ?? 0, (offset ?? 0) + 1)
  }
  return (
    <div>
      <Textarea
        {...labels}
        size="xs"
        ref={field}
        classNames={{ input: classes['code'] }}
        autosize
        minRows={2}
        maxRows={16}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={fault}
      />
      <Group gap="xs" mt={4}>
        {offset !== undefined && (
          <Button variant="subtle" size="compact-xs" onClick={showFault}>
            Go to error
          </Button>
        )}
        {parsed !== undefined && 'value' in parsed && (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange(indentJson(value))}>
            Format
          </Button>
        )}
      </Group>
    </div>
  )
}
