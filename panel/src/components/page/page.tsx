import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type PageProps = {
  title: string
  /** One sentence under the title. */
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page. Sets the tab's title. The heading receives the focus after a navigation. */
export function Page({ title, description, actions, children }: PageProps) {
  return (
    <Stack className={classes['page']} gap="lg">
      <title>{`${title} · Pipit`}</title>
      <Group justify="space-between" align="flex-end" gap="sm">
        <div className={classes['heading']}>
          <Title order={1} tabIndex={-1} data-page-heading>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
