import { Button, Group } from '@mantine/core'
import { useState } from 'react'

type ConfirmButtonProps = {
  label: string
  /** The label for screen readers, which names the item: "Remove laptop". */
  fullLabel: string
  /** The text of the second button: "Remove passkey". */
  confirmLabel: string
  isPending: boolean
  onConfirm: () => void
}

/** A button that asks for confirmation in place before an action that cannot be undone. */
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
