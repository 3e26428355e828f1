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
  /** The service's error for the schema. */
  schemaFault: string | undefined
}

/** The parameters that change a reply. An empty field means the service's default. */
export function SettingsForm({ settings, onChange, onReset, schemaFault }: SettingsFormProps) {
  const { faults } = parseSettings(settings)
  const set = (name: SettingName) => (value: string) => onChange({ ...settings, [name]: value })
  return (
    <Stack gap="sm">
      <NativeSelect
        size="xs"
        label="Response format"
        data={formats.map((format) => ({ value: format, label: formatLabels[format] }))}
        value={settings.format === '' ? 'text' : settings.format}
        onChange={({ currentTarget: { value } }) => set('format')(value === 'text' ? '' : value)}
      />
      {settings.format === 'json_schema' && (
        <JsonInput
          label="JSON schema"
          description="The reply is constrained to this schema. The model does not see it, so describe the content in your messages."
          placeholder={schemaExample}
          value={settings.schema}
          onChange={set('schema')}
          fault={faults.schema ?? schemaFault}
        />
      )}
      <div className={classes['numbers']}>
        {numberSettings.map((setting) => (
          <NumberField
            key={setting.name}
            setting={setting}
            value={settings[setting.name]}
            onChange={set(setting.name)}
            fault={faults[setting.name]}
          />
        ))}
      </div>
      <Textarea
        size="xs"
        label="Stop sequences"
        description="One per line, up to 4. Write \n for a line break. The reply ends before a stop sequence."
        autosize
        minRows={1}
        maxRows={4}
        value={settings.stop}
        onChange={(event) => set('stop')(event.currentTarget.value)}
        error={faults.stop}
      />
      <JsonInput
        label="Logit bias"
        description="Token IDs and the bias to add to their logits. -100 bans a token."
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
        Reset to defaults
      </Button>
    </Stack>
  )
}

const formatLabels = {
  text: 'Text',
  json_object: 'JSON object',
  json_schema: 'JSON schema',
} as const satisfies Record<(typeof formats)[number], string>

const schemaExample = `{
  "type": "object",
  "properties": {"answer": {"type": "string"}},
  "required": ["answer"]
}`

type NumberFieldProps = {
  setting: NumberSetting
  value: string
  onChange: (value: string) => void
  fault: string | undefined
}

function NumberField({ setting, value, onChange, fault }: NumberFieldProps) {
  return (
    <TextInput
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
      placeholder={setting.default === null ? 'None' : String(setting.default)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={fault}
      autoComplete="off"
      maxLength={32}
    />
  )
}

function describe({ help, min, max, name }: NumberSetting): string {
  return name === 'seed' ? help : `${min} to ${max}. ${help}`
}
