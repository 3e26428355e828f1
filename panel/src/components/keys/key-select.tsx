import { NativeSelect } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { KeySelectProps } from './key-picker.tsx'

/** Selects one of the user's keys, found by name, or all keys. Its code loads after the page is shown. */
export function KeySelect(props: KeySelectProps) {
  return (
    <Suspense fallback={<NativeSelect label="Key" size="xs" data={['All keys']} disabled />}>
      <KeyPicker {...props} />
    </Suspense>
  )
}

const KeyPicker = lazy(async () => ({ default: (await import('./key-picker.tsx')).KeyPicker }))
