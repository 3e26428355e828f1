import { Button, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import {
  formats,
  numberSettings,
  parseSettings,
  type NumberSetting,
  type SettingName,
  type Settings,
} from '../../../playground/settings.ts'
import { JsonInput } from './json-input.tsx'
import classes from '../playground.module.css'

type SettingsFormProps = {
  settings: Settings
  onChange: (settings: Settings) => void
  onReset: () => void
  /** What the service says of the schema. */
  schemaFault: string | undefined
}

/** Every parameter that changes a reply; a field that is left empty has the service's default. */
export function SettingsForm({ settings, onChange, onReset, schemaFault }: SettingsFormProps) {
  const { faults } = parseSettings(settings)
  const set = (name: SettingName) => (value: string) => onChange({ ...settings, [name]: value })
  return (
    <Stack gap="sm">
      <NativeSelect
        size="xs"
        label="Form of the reply"
        data={formats.map((format) => ({ value: format, label: formatLabels[format] }))}
        value={settings.format === '' ? 'text' : settings.format}
        onChange={({ currentTarget: { value } }) => set('format')(value === 'text' ? '' : value)}
      />
      {settings.format === 'json_schema' && (
        <JsonInput
          label="JSON Schema"
          description="The reply is made to fulfil it. Say in the messages what you want: the model is not told the schema."
          placeholder={schemaExample}
          value={settings.schema}
          onChange={set('schema')}
          fault={faults.schema ?? schemaFault}
        />
      )}
      <div className={classes['numbers']}>
        {numberSettings.map((setting) => (
          <TextInput
            key={setting.name}
            classNames={{
              root: classes['number'],
              label: classes['numberLabel'],
              description: classes['numberHelp'],
              wrapper: classes['numberInput'],
              error: classes['numberFault'],
            }}
            size="xs"
            label={setting.label}
            description={describe(setting)}
            inputMode={setting.kind === 'integer' ? 'numeric' : 'decimal'}
            placeholder={setting.default === null ? 'none' : String(setting.default)}
            value={settings[setting.name]}
            onChange={(event) => set(setting.name)(event.currentTarget.value)}
            error={faults[setting.name]}
            autoComplete="off"
            maxLength={32}
          />
        ))}
      </div>
      <Textarea
        size="xs"
        label="Stop sequences"
        description="One a line, up to 4; \n stands for a line break. The reply ends before any of them."
        autosize
        minRows={1}
        maxRows={4}
        value={settings.stop}
        onChange={(event) => set('stop')(event.currentTarget.value)}
        error={faults.stop}
      />
      <JsonInput
        label="Logit bias"
        description="Token id → what is added to its logit; -100 forbids the token."
        placeholder={'{"1234": -100}'}
        value={settings.logit_bias}
        onChange={set('logit_bias')}
        fault={faults.logit_bias}
      />
      <Button
        variant="default"
        size="xs"
        disabled={Object.values(settings).every((value) => value === '')}
        onClick={onReset}
      >
        Back to the defaults
      </Button>
    </Stack>
  )
}

const formatLabels = {
  text: 'Text',
  json_object: 'Any JSON object',
  json_schema: 'JSON of a schema',
} as const satisfies Record<(typeof formats)[number], string>

const schemaExample = `{
  "type": "object",
  "properties": {"answer": {"type": "string"}},
  "required": ["answer"]
}`

function describe({ help, min, max, name }: NumberSetting): string {
  return name === 'seed' ? help : `${min} to ${max}. ${help}`
}
