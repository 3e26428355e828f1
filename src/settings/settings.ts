import { wrongSetting } from '../errors.ts'
import { earlierNameOf, type SettingName, settingsTable } from './settings-table.ts'

type Table = typeof settingsTable
type NamesWith<Part> = {
  [Name in SettingName]: Table[Name] extends Part ? Name : never
}[SettingName]
type NumberSetting = NamesWith<{ range: unknown }>
type ListSetting = NamesWith<{ entriesMax: unknown }>
/** Type of a setting's default. A numeric default widens to `number`. */
type DefaultOf<Name extends SettingName> = Widened<Table[Name]['default']>
type Widened<Value> = Value extends null ? undefined : Value extends number ? number : Value
type Environment = Readonly<Record<string, string | undefined>>

/** Reads settings from the environment and collects their faults. */
export class Settings {
  readonly #environment: Environment
  readonly #faults: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Returns the trimmed value. An empty one counts as unset: compose files and unit files write `NAME=`. */
  text(name: SettingName): string | undefined {
    const names = [name, earlierNameOf(name) ?? name]
    return names.map((one) => this.#environment[one]?.trim()).find(Boolean)
  }

  /** Returns the entries of a list, which commas or spaces separate. */
  list(name: ListSetting): string[] {
    const max = settingsTable[name].entriesMax
    const entries = (this.text(name) ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
    if (entries.length > max) this.fault(name, `has ${entries.length} entries; at most ${max} fit`)
    return entries
  }

  /** Returns a whole number. If the setting is not set, returns its default, or undefined if it has none. */
  integer<Name extends NumberSetting>(
    name: Name,
    [min, max]: readonly [number, number] = settingsTable[name].range,
  ): number | DefaultOf<Name> {
    const byDefault = defaultOf(name)
    const text = this.text(name)
    if (text === undefined) return byDefault
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    // Kubernetes sets PIPIT_PORT=tcp://… if a service is named pipit.
    const hint = text.startsWith('tcp://') ? ' (set enableServiceLinks: false on the pod)' : ''
    const rule = `must be a whole number from ${min} to ${max}`
    this.fault(name, `${rule}, not ${JSON.stringify(text)}${hint}`)
    return byDefault
  }

  sha256(name: SettingName): string | undefined {
    const text = this.text(name)?.toLowerCase()
    if (text !== undefined && !/^[0-9a-f]{64}$/.test(text))
      this.fault(name, `must have 64 hexadecimal digits, as \`sha256sum FILE\` prints them`)
    return text
  }

  /** Returns the origin of an http or https URL. The URL must have no other parts. */
  url(name: SettingName): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const url = URL.parse(text)
    const isOrigin = url !== null && url.pathname === '/' && url.search === '' && url.hash === ''
    if (isOrigin && url.username === '' && /^https?:$/.test(url.protocol)) return url.origin
    const rule = 'must be like https://pipit.example.com, without a path'
    this.fault(name, `${rule}, not ${JSON.stringify(text)}`)
    return undefined
  }

  /** Returns one of `choices`. If the setting is not set, returns its default, or undefined if it has none. */
  oneOf<const T extends string, Name extends SettingName>(
    name: Name,
    choices: readonly T[],
  ): T | DefaultOf<Name> {
    const byDefault = defaultOf(name)
    const text = this.text(name)
    if (text === undefined) return byDefault
    const choice = choices.find((candidate) => candidate === text)
    if (choice !== undefined) return choice
    this.fault(name, `must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}`)
    return byDefault
  }

  fault(name: SettingName, text: string): void {
    this.#faults.push(`${name} ${text}`)
  }

  throwFaults(): void {
    if (this.#faults.length > 0) throw wrongSetting(`${this.#faults.join('; ')}.`)
  }
}

function defaultOf<Name extends SettingName>(name: Name): DefaultOf<Name> {
  return (settingsTable[name].default ?? undefined) as DefaultOf<Name>
}
