import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Time } from '../../../components/time.tsx'
import type { Draft } from '../../../playground/draft.ts'
import { readDraft } from '../../../playground/draft-store.ts'
import {
  eraseHistory,
  keepsHistory,
  loadHistory,
  removeConversation,
  startHistory,
} from '../../../playground/history/history-store.ts'
import classes from './history-dialog.module.css'

type HistoryDialogProps = {
  userId: string
  isRunning: boolean
  onOpen: (draft: Draft, id: string) => void
  onClose: () => void
}

/** The conversations kept in this browser. History is off by default, and turning it off erases them. */
export function HistoryDialog({ userId, isRunning, onOpen, onClose }: HistoryDialogProps) {
  const [, reload] = useState(0)
  const change = (run: () => void) => {
    run()
    reload((count) => count + 1)
  }
  const isOn = keepsHistory(localStorage, userId)
  const kept = loadHistory(localStorage, userId)
  return (
    <Dialog onClose={onClose} title="History">
      <Stack gap="md">
        <Switch
          label="Keep conversations in this browser"
          description="The latest 20, on this device only. Turning this off erases them."
          checked={isOn}
          onChange={({ currentTarget: { checked } }) =>
            change(() =>
              checked ? startHistory(localStorage, userId) : eraseHistory(localStorage, userId),
            )
          }
        />
        {isOn && kept.length === 0 && (
          <Text size="sm" c="dimmed">
            No conversations yet. Each one is kept after its next reply.
          </Text>
        )}
        <ul className={classes['list']}>
          {kept.map(({ id, title, savedMs, text }) => (
            <li key={id}>
              <Text size="sm">
                <bdi>{title === '' ? 'Untitled' : title}</bdi>
              </Text>
              <Group gap="xs">
                <Text size="xs" c="dimmed">
                  <Time ms={savedMs} show="relative" />
                </Text>
                <Button
                  variant="default"
                  size="compact-xs"
                  disabled={isRunning}
                  aria-label={`Open: ${title}`}
                  onClick={() => onOpen(readDraft(text), id)}
                >
                  Open
                </Button>
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={`Erase: ${title}`}
                  onClick={() => change(() => removeConversation(localStorage, userId, id))}
                >
                  Erase
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      </Stack>
    </Dialog>
  )
}
