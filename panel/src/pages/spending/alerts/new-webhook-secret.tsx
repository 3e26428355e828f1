import { Button, Stack, Text } from '@mantine/core'
import { Copyable } from '../../../components/copyable.tsx'
import { Dialog, DialogActions } from '../../../components/dialog/dialog.tsx'

export function NewWebhookSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <Dialog title="Copy this signing secret now" onClose={onStored} shownOnce>
      <Stack gap="md">
        <Text size="sm">You will not see it again. Your receiver checks signatures with it.</Text>
        <Copyable text={secret} what="secret" />
        <DialogActions>
          <Button onClick={onStored}>I’ve saved this secret</Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
