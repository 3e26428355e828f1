import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { proofEvent } from '../api.ts'

/** Explains the delay while this browser computes a proof of work. */
export function ProofNote() {
  const [isProving, setIsProving] = useState(false)
  useEffect(() => {
    const update = (event: Event) =>
      setIsProving(event instanceof CustomEvent && event.detail === true)
    window.addEventListener(proofEvent, update)
    return () => window.removeEventListener(proofEvent, update)
  }, [])
  if (!isProving) return null
  return (
    <Text size="sm" c="dimmed" role="status">
      There were many failed attempts to sign in. Your browser is solving a puzzle first, which can
      take up to a minute.
    </Text>
  )
}
