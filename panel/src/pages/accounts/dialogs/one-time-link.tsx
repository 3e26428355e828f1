import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IssuedLink } from '../../../../../src/protocol/panel-accounts.ts'
import { Copyable } from '../../../components/copyable.tsx'
import { Time } from '../../../components/time.tsx'

/** Shows a link that cannot be shown again. */
export function OneTimeLink({ link, children }: { link: IssuedLink; children: ReactNode }) {
  return (
    <Alert color="green" role="status" title="Link created. Copy it now.">
      <Stack gap="sm">
        <Copyable text={link.url} what="link" />
        <div>{children}</div>
        <Text size="sm">
          It expires on <Time ms={link.expires_ms} /> and will not be shown again.
        </Text>
      </Stack>
    </Alert>
  )
}
