import { ActionIcon, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type Field,
  fieldsMax,
  fieldTypes,
  isWholeNumber,
  readSimpleSchema,
  schemaTemplates,
  writeSimpleSchema,
} from '../../../playground/schema/simple-schema.ts'
import classes from '../playground.module.css'
import { JsonInput } from './json-input.tsx'

type SchemaInputProps = {
  schema: string
  onChange: (schema: string) => void
  fault: string | undefined
}

/** Edits the reply's schema as JSON, and as a form while it is simple enough. */
export function SchemaInput({ schema, onChange, fault }: SchemaInputProps) {
  const fields = readSimpleSchema(schema)
  const template = schemaTemplates.find((one) => writeSimpleSchema(one.fields) === schema)
  const choose = (name: string) => {
    const chosen = schemaTemplates.find((one) => one.name === name)
    if (chosen !== undefined) onChange(writeSimpleSchema(chosen.fields))
  }
  return (
    <Stack gap="xs">
      <NativeSelect
        size="xs"
        label="Schema template"
        data={['Custom', ...schemaTemplates.map(({ name }) => name)]}
        value={template?.name ?? 'Custom'}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {fields !== undefined && (
        <FieldList fields={fields} onChange={(changed) => onChange(writeSimpleSchema(changed))} />
      )}
      <JsonInput
        label="JSON schema"
        description="The reply is constrained to this schema. The model does not see it, so describe the content in your messages."
        value={schema}
        onChange={onChange}
        fault={fault}
      />
    </Stack>
  )
}

type FieldListProps = { fields: readonly Field[]; onChange: (fields: readonly Field[]) => void }

function FieldList({ fields, onChange }: FieldListProps) {
  return (
    <div role="group" aria-label="Fields" className={classes['fields']}>
      {fields.map((field, index) => (
        <FieldRow
          key={index}
          field={field}
          number={index + 1}
          taken={fields.filter((other) => other !== field).map(({ name }) => name)}
          onChange={(changed) =>
            onChange(fields.map((other) => (other === field ? changed : other)))
          }
          onRemove={() => onChange(fields.filter((other) => other !== field))}
        />
      ))}
      <Button
        variant="default"
        size="compact-xs"
        disabled={fields.length >= fieldsMax}
        onClick={() =>
          onChange([...fields, { name: freeName(fields), type: 'string', options: [] }])
        }
      >
        Add field
      </Button>
    </div>
  )
}

type FieldRowProps = {
  field: Field
  number: number
  taken: readonly string[]
  onChange: (field: Field) => void
  onRemove: () => void
}

function FieldRow({ field, number, taken, onChange, onRemove }: FieldRowProps) {
  // The schema keeps the name before a refused one: two properties with the same name would merge into one, and one whose
  // name is a whole number would move.
  const [refused, setRefused] = useState<{ typed: string; kept: string; reason: string }>()
  const isRefused = refused?.kept === field.name
  return (
    <div>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <TextInput
          size="xs"
          aria-label={`Name of field ${number}`}
          value={isRefused ? refused.typed : field.name}
          error={isRefused && refused.reason}
          onChange={({ currentTarget: { value: name } }) => {
            const reason = refusalOf(name, taken)
            setRefused(reason === undefined ? undefined : { typed: name, kept: field.name, reason })
            if (reason === undefined) onChange({ ...field, name })
          }}
        />
        <NativeSelect
          size="xs"
          aria-label={`Type of field ${number}`}
          data={fieldTypes.map((value) => ({ value, label: typeLabels[value] }))}
          value={field.type}
          onChange={({ currentTarget: { value } }) => {
            const type = fieldTypes.find((known) => known === value)
            if (type === undefined) return
            onChange({ ...field, type, options: type === 'enum' ? ['yes', 'no'] : [] })
          }}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Remove field ${number}`}
          onClick={onRemove}
        >
          ×
        </ActionIcon>
      </Group>
      {field.type === 'enum' && (
        <OptionsInput
          label={`Values of field ${number}, separated by commas`}
          options={field.options}
          onChange={(options) => onChange({ ...field, options })}
        />
      )}
    </div>
  )
}

type OptionsInputProps = {
  label: string
  options: readonly string[]
  onChange: (options: readonly string[]) => void
}

function OptionsInput({ label, options, onChange }: OptionsInputProps) {
  // The text stays as typed while it has the same values: written anew, it would get back a space that was removed.
  const [typed, setTyped] = useState('')
  const isTyped = JSON.stringify(readOptions(typed)) === JSON.stringify(options)
  return (
    <TextInput
      size="xs"
      mt={4}
      aria-label={label}
      value={isTyped ? typed : options.join(', ')}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(readOptions(value))
      }}
    />
  )
}

function readOptions(text: string): string[] {
  return text.split(',').map((option) => option.trim())
}

/** Returns why a field cannot have the name, or undefined. */
function refusalOf(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return 'Another field has this name.'
  return isWholeNumber(name) ? 'A name cannot be a whole number.' : undefined
}

const typeLabels = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  enum: 'One of',
} as const satisfies Record<Field['type'], string>

function freeName(fields: readonly Field[]): string {
  const names = fields.map(({ name }) => name)
  let number = fields.length + 1
  while (names.includes(`field_${number}`)) number++
  return `field_${number}`
}
