import { Alert, Button, Group, Stack } from '@mantine/core'
import { CodeBlock } from '../../../components/code-snippets.tsx'

type BackupCodesProps = { codes: readonly string[]; onStored: () => void }

export function BackupCodes({ codes, onStored }: BackupCodesProps) {
  return (
    <Stack gap="md">
      <Alert title="Keep these codes where your phone is not">
        Each opens your account once if the phone is lost. They are not shown again.
      </Alert>
      <CodeBlock code={codes.join('\n')} label="Backup codes" />
      <Group>
        <Button onClick={onStored}>I have stored them</Button>
      </Group>
    </Stack>
  )
}
