import { Button, Stack, Switch, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { columnNames, isRunning } from '../../../playground/draft.ts'
import { defaultSettings, type Settings } from '../../../playground/settings.ts'
import type { Playground } from '../../../playground/use-playground.ts'
import classes from '../playground.module.css'
import { SettingsForm } from './settings-form.tsx'

type SettingsColumnProps = {
  playground: Playground
  /** The index of the settings shown while two sets are compared. */
  active: number
  onActivate: (column: number) => void
  schemaFaults: readonly (string | undefined)[]
}

/** The settings, in two tabs while two sets are compared. On a phone they expand above the conversation. */
export function SettingsColumn({
  playground,
  active,
  onActivate,
  schemaFaults,
}: SettingsColumnProps) {
  const { draft, numbers, edit, replace } = playground
  const { columns } = draft
  const [opened, panel] = useDisclosure(false)
  const change = (column: number, settings: Settings) =>
    columns.map((other, i) => (i === column ? settings : other))
  const forms = columns.map((settings, column) => (
    <SettingsForm
      key={column}
      settings={settings}
      numbers={numbers}
      onChange={(changed) => edit({ columns: change(column, changed) })}
      onReset={() =>
        replace('Settings reset to defaults.', { columns: change(column, defaultSettings) })
      }
      schemaFault={schemaFaults[column]}
    />
  ))
  const compare = (isComparing: boolean) => {
    const [first = defaultSettings] = columns
    if (isComparing) edit({ columns: [first, first] })
    else
      replace('Settings B removed.', {
        columns: [first],
        replies: draft.replies.slice(0, 1),
        chosen: { column: 0, choice: 0 },
      })
  }
  return (
    <section aria-label="Settings" className={classes['settings']}>
      <Button
        className={classes['settingsToggle']}
        variant="default"
        size="xs"
        aria-expanded={opened}
        onClick={panel.toggle}
      >
        {opened ? 'Hide settings' : 'Settings'}
      </Button>
      <div className={classes['settingsBody']} data-opened={opened}>
        <Stack gap="md">
          <Switch
            label="Compare two settings"
            checked={columns.length === 2}
            disabled={isRunning(draft)}
            onChange={(event) => compare(event.currentTarget.checked)}
          />
          {forms.length === 1 ? (
            forms
          ) : (
            <SettingsTabs forms={forms} active={active} onActivate={onActivate} />
          )}
        </Stack>
      </div>
    </section>
  )
}

type SettingsTabsProps = { forms: readonly ReactNode[] } & Pick<
  SettingsColumnProps,
  'active' | 'onActivate'
>

function SettingsTabs({ forms, active, onActivate }: SettingsTabsProps) {
  return (
    <Tabs keepMounted={false} value={String(active)} onChange={(tab) => onActivate(Number(tab))}>
      <Tabs.List mb="sm">
        {forms.map((_, column) => (
          <Tabs.Tab key={column} value={String(column)}>
            Settings {columnNames[column]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {forms.map((form, column) => (
        <Tabs.Panel key={column} value={String(column)}>
          {form}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
