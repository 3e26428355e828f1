import { Button, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Settings } from '../../../playground/settings.ts'
import { toolChoices, toolsTemplate } from '../../../playground/tools/tool-definitions.ts'
import classes from '../playground.module.css'
import { JsonInput } from './json-input.tsx'

type ToolsInputProps = {
  settings: Settings
  onChange: (settings: Settings) => void
  fault: string | undefined
}

/** The functions that the model can call. In the playground, the user types their results. */
export function ToolsInput({ settings, onChange, fault }: ToolsInputProps) {
  const [opened, setOpened] = useState(settings.tools !== '')
  return (
    <details
      className={classes['advanced']}
      open={opened || fault !== undefined}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>Tools</summary>
      <Stack gap="sm">
        {settings.tools.trim() === '' && (
          <Button
            variant="default"
            size="xs"
            onClick={() => onChange({ ...settings, tools: toolsTemplate })}
          >
            Add an example tool
          </Button>
        )}
        <JsonInput
          label="Functions"
          description="A JSON array. Each function has a name, a description and a JSON schema of its parameters."
          value={settings.tools}
          onChange={(tools) => onChange({ ...settings, tools })}
          fault={fault}
        />
        <NativeSelect
          size="xs"
          label="Tool choice"
          data={toolChoices.map((value) => ({ value, label: choiceLabels[value] }))}
          value={settings.tool_choice === '' ? 'auto' : settings.tool_choice}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...settings, tool_choice: value === 'auto' ? '' : value })
          }
        />
      </Stack>
    </details>
  )
}

const choiceLabels = {
  auto: 'Auto: the model decides',
  required: 'Required: calls at least one',
  none: 'None: calls no tool',
} as const satisfies Record<(typeof toolChoices)[number], string>
