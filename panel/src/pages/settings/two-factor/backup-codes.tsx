import { Button, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../../components/code-snippets.tsx'
import { Dialog, DialogActions } from '../../../components/dialog/dialog.tsx'

type BackupCodesProps = { codes: readonly string[]; onStored: () => void }

export function BackupCodes({ codes, onStored }: BackupCodesProps) {
  return (
    <Dialog title="Save these backup codes" onClose={onStored} shownOnce>
      <Stack gap="md">
        <Text size="sm">
          Each code signs you in once if you lose your phone. Keep them somewhere else. You will not
          see them again.
        </Text>
        <CodeBlock code={codes.join('\n')} label="Backup codes" />
        <DialogActions>
          <Button onClick={onStored}>I’ve saved these codes</Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
