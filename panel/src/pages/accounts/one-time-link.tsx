import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IssuedLink } from '../../../../src/protocol/panel-accounts.ts'
import { Copyable } from '../../components/copyable.tsx'
import { Time } from '../../components/time.tsx'

/** Shown now and never again. */
export function OneTimeLink({ link, children }: { link: IssuedLink; children: ReactNode }) {
  return (
    <Alert color="green" role="status" title="The link is made, and shown only now">
      <Stack gap="sm">
        <Copyable text={link.url} what="link" />
        <div>{children}</div>
        <Text size="sm">
          It works until <Time ms={link.expires_ms} />.
        </Text>
      </Stack>
    </Alert>
  )
}
