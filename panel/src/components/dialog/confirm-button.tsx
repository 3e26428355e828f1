import { Button, Group } from '@mantine/core'
import { useState } from 'react'

type ConfirmButtonProps = {
  label: string
  /** Names what is meant, for those who hear the button without what is around it. */
  fullLabel: string
  /** What the second click does: "Remove it". */
  confirmLabel: string
  isPending: boolean
  onConfirm: () => void
}

/** Asks once more in the same place before it does what cannot be undone. */
export function ConfirmButton({
  label,
  fullLabel,
  confirmLabel,
  isPending,
  onConfirm,
}: ConfirmButtonProps) {
  const [asked, setAsked] = useState(false)
  if (!asked)
    return (
      <Button
        variant="default"
        size="xs"
        aria-label={fullLabel}
        loading={isPending}
        onClick={() => setAsked(true)}
      >
        {label}
      </Button>
    )
  return (
    <Group gap="xs" wrap="nowrap" role="group" aria-label={fullLabel}>
      <Button variant="default" size="xs" autoFocus onClick={() => setAsked(false)}>
        Cancel
      </Button>
      <Button
        color="red"
        size="xs"
        onClick={() => {
          setAsked(false)
          onConfirm()
        }}
      >
        {confirmLabel}
      </Button>
    </Group>
  )
}
