import { type SettingName, settingNames, settingsTable } from '../../src/settings/settings-table.ts'

/** A setting as the documentation shows it; its texts are Markdown. */
type SettingRow = { name: SettingName; byDefault: string; meaning: string }

type Bounds = {
  readonly default: string | number | null
  readonly defaultText?: string
  readonly range?: readonly [number, number]
  readonly entriesMax?: number
  readonly upstream?: { readonly default?: number; readonly range: readonly [number, number] }
}

/** Returns the settings with their bounds written out. */
export function settingRows(): SettingRow[] {
  return settingNames.map((name) => {
    const { meaning, ...bounds } = settingsTable[name]
    return { name, byDefault: defaultOf(bounds), meaning: fillIn(meaning, bounds) }
  })
}

/** Returns one line of docs/configuration.md for each setting. */
export function settingLines(): string[] {
  return settingRows().map(
    ({ name, byDefault, meaning }) => `| \`${name}\` | ${byDefault} | ${meaning} |`,
  )
}

function defaultOf({ default: value, defaultText }: Bounds): string {
  return defaultText ?? (value === null ? 'none' : `\`${value}\``)
}

function fillIn(meaning: string, { range, entriesMax, upstream }: Bounds): string {
  return meaning
    .replace('{range}', range?.join('–') ?? '')
    .replace('{entries}', String(entriesMax))
    .replace('{upstream range}', upstream?.range.join('–') ?? '')
    .replace('{upstream default}', String(upstream?.default))
}
