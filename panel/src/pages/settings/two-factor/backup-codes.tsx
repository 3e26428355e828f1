import { Alert, Button, Group, Stack } from '@mantine/core'
import { CodeBlock } from '../../../components/code-snippets.tsx'

type BackupCodesProps = { codes: readonly string[]; onStored: () => void }

export function BackupCodes({ codes, onStored }: BackupCodesProps) {
  return (
    <Stack gap="md">
      <Alert title="Save these backup codes">
        Each code signs you in once if you lose your phone. Keep them somewhere else. You will not
        see them again.
      </Alert>
      <CodeBlock code={codes.join('\n')} label="Backup codes" />
      <Group>
        <Button onClick={onStored}>I’ve saved these codes</Button>
      </Group>
    </Stack>
  )
}
