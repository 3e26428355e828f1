import { Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { dayRangeError, presets, toDay, toTimeSpan, type DayRange } from '../format/time-range.ts'
import classes from './range-picker.module.css'

type RangePickerProps = {
  /** The selected range; undefined for all time. */
  value: DayRange | undefined
  onChange: (range: DayRange | undefined) => void
  /** Also offers "All time". */
  allTime?: boolean
}

const names = {
  all: 'All time',
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  custom: 'Custom',
}
type Choice = keyof typeof names

/** Selects the days that a page shows. The caller keeps the range in the URL; only half-typed days are kept here. */
export function RangePicker({ value, onChange, allTime = false }: RangePickerProps) {
  const choices: Choice[] = allTime ? ['all', ...presets] : [...presets]
  const options = choices.map((choice) => ({ value: choice, label: names[choice] }))
  const chosen = value?.range ?? 'all'
  const choose = (choice: string) => {
    const preset = presets.find((name) => name === choice)
    if (preset === undefined) onChange(undefined)
    else onChange(preset === 'custom' ? daysOf(value) : { range: preset })
  }
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="Time range"
        className={classes['wide']}
        size="xs"
        data={options}
        value={chosen}
        onChange={choose}
      />
      <NativeSelect
        label="Time range"
        size="xs"
        className={classes['narrow']}
        data={options}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {value?.range === 'custom' && (
        <DayFields from={value.from} to={value.to} onChange={onChange} />
      )}
    </Group>
  )
}

type DayFieldsProps = { from: string; to: string; onChange: (range: DayRange) => void }

/** Applies the days when a field is left. Shows other days that a link or Back has applied. */
function DayFields({ from, to, onChange }: DayFieldsProps) {
  const [typed, setTyped] = useState({ from, to })
  const sent = useRef({ from, to })
  useEffect(() => {
    // The page now shows what was sent, and the other field may have changed since.
    if (from === sent.current.from && to === sent.current.to) return
    sent.current = { from, to }
    setTyped({ from, to })
  }, [from, to])
  const errorId = useId()
  const error = dayRangeError(typed.from, typed.to)
  const apply = () => {
    const changed = typed.from !== from || typed.to !== to
    if (error !== undefined || !changed) return
    sent.current = typed
    onChange({ range: 'custom', ...typed })
  }
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      size="xs"
      label={label}
      value={typed[name]}
      min="2000-01-01"
      max="2099-12-31"
      error={error !== undefined}
      aria-describedby={error === undefined ? undefined : errorId}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
    />
  )
  return (
    <Group gap="xs" align="flex-end">
      {field('from', 'Start date')}
      {field('to', 'End date')}
      {error !== undefined && (
        <Text id={errorId} role="alert" size="xs" c="red">
          {error}
        </Text>
      )}
    </Group>
  )
}

/** Returns the days shown now as the initial values of the date fields. */
function daysOf(value: DayRange | undefined): DayRange {
  if (value?.range === 'custom') return value
  const { fromMs, toMs } = toTimeSpan(value ?? { range: '7d' }, Date.now())
  return { range: 'custom', from: toDay(fromMs), to: toDay(toMs - 1) }
}
