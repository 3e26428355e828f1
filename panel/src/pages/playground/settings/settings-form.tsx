import { Button, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { chatParameters } from '../../../../../src/chat-parameters.ts'
import {
  formats,
  isSettingName,
  withFormat,
  parseSettings,
  type NumberSetting,
  type SettingName,
  type Settings,
} from '../../../playground/settings.ts'
import { JsonInput } from './json-input.tsx'
import { ToolsInput } from './tools-input.tsx'
import classes from '../playground.module.css'

type SettingsFormProps = {
  settings: Settings
  /** The number settings with the service's bounds. */
  numbers: readonly NumberSetting[]
  onChange: (settings: Settings) => void
  onReset: () => void
  /** The service's error for the schema. */
  schemaFault: string | undefined
}

/** The parameters that change a reply. An empty field means the service's default. */
export function SettingsForm({
  settings,
  numbers,
  onChange,
  onReset,
  schemaFault,
}: SettingsFormProps) {
  const { faults } = parseSettings(settings, numbers)
  const parts = { settings, numbers, faults, onChange }
  const set = (name: SettingName) => (value: string) => onChange({ ...settings, [name]: value })
  return (
    <Stack gap="sm">
      <NativeSelect
        size="xs"
        label="Response format"
        data={formats.map((format) => ({ value: format, label: formatLabels[format] }))}
        value={settings.format === '' ? 'text' : settings.format}
        onChange={({ currentTarget: { value } }) => onChange(withFormat(settings, value))}
      />
      {settings.format === 'json_schema' && (
        <Suspense>
          <SchemaInput
            schema={settings.schema}
            onChange={set('schema')}
            fault={faults.schema ?? schemaFault}
          />
        </Suspense>
      )}
      <Numbers names={mainSettings} {...parts} />
      <Switch
        size="xs"
        label="Token probabilities"
        description="Colour each token of the reply by its probability."
        checked={settings.top_logprobs !== ''}
        onChange={(event) =>
          set('top_logprobs')(event.currentTarget.checked ? topLogprobsShown : '')
        }
      />
      <ToolsInput settings={settings} onChange={onChange} fault={faults.tools} />
      <AdvancedSettings {...parts} />
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

const SchemaInput = lazy(async () => ({
  default: (await import('./schema-input.tsx')).SchemaInput,
}))

const formatLabels = {
  text: 'Text',
  json_object: 'JSON object',
  json_schema: 'JSON schema',
} as const satisfies Record<(typeof formats)[number], string>

const mainSettings: readonly string[] = ['temperature', 'max_tokens']
const topLogprobsShown = '5'

type SettingsPartProps = Pick<SettingsFormProps, 'settings' | 'numbers' | 'onChange'> & {
  faults: ReturnType<typeof parseSettings>['faults']
}

/** The settings that most requests leave at their defaults. Opens by itself when one of them is set. */
function AdvancedSettings({ settings, numbers, faults, onChange }: SettingsPartProps) {
  const names = numbers.map(({ name }) => name).filter((name) => !mainSettings.includes(name))
  const isUsed = [...names, 'stop', 'logit_bias'].some(
    (name) => isSettingName(name) && name !== 'top_logprobs' && settings[name] !== '',
  )
  const [opened, setOpened] = useState(isUsed)
  return (
    <details
      className={classes['advanced']}
      open={
        opened ||
        Object.keys(faults).some(
          (name) => name !== 'schema' && name !== 'tools' && !mainSettings.includes(name),
        )
      }
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>Advanced settings</summary>
      <Stack gap="sm">
        <Numbers
          names={names}
          settings={settings}
          numbers={numbers}
          faults={faults}
          onChange={onChange}
        />
        <Textarea
          size="xs"
          label="Stop sequences"
          description={`One per line, up to ${chatParameters.stop.maxItems}. Write \\n for a line break. ${chatParameters.stop.description}`}
          autosize
          minRows={1}
          maxRows={4}
          value={settings.stop}
          onChange={(event) => onChange({ ...settings, stop: event.currentTarget.value })}
          error={faults.stop}
        />
        <JsonInput
          label="Logit bias"
          description={chatParameters.logit_bias.description}
          placeholder={'{"1234": -100}'}
          value={settings.logit_bias}
          onChange={(bias) => onChange({ ...settings, logit_bias: bias })}
          fault={faults.logit_bias}
        />
      </Stack>
    </details>
  )
}

type NumbersProps = SettingsPartProps & { names: readonly string[] }

function Numbers({ names, settings, numbers, faults, onChange }: NumbersProps) {
  return (
    <div className={classes['numbers']}>
      {names
        .flatMap((name) => numbers.filter((setting) => setting.name === name))
        .map((setting) => (
          <NumberField
            key={setting.name}
            setting={setting}
            value={settings[setting.name]}
            onChange={(value) => onChange({ ...settings, [setting.name]: value })}
            fault={faults[setting.name]}
          />
        ))}
    </div>
  )
}

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
      label={setting.field.label}
      description={describe(setting)}
      inputMode={setting.type === 'integer' ? 'numeric' : 'decimal'}
      placeholder={setting.field.placeholder ?? String(setting.default ?? 'None')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={fault}
      autoComplete="off"
      maxLength={32}
    />
  )
}

function describe({ name, minimum, maximum, description, field }: NumberSetting): string {
  const help = field.help ?? description
  return name === 'seed' ? help : `${minimum} to ${maximum}. ${help}`
}
