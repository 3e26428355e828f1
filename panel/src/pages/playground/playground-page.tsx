import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Page } from '../../components/page/page.tsx'
import { toRequest } from '../../playground/conversation.ts'
import { emptyDraft, isRunning, nextMessages } from '../../playground/draft.ts'
import { useKeptConversation } from '../../playground/history/use-kept-conversation.ts'
import { numberSettings, parseSettings } from '../../playground/settings.ts'
import { fromFragment } from '../../playground/share-link.ts'
import { usePlayground, type Playground } from '../../playground/use-playground.ts'
import { meQuery } from '../../session.ts'
import { ConversationColumn } from './conversation-column.tsx'
import { ModelLine, servingModelQuery } from './model-line.tsx'
import classes from './playground.module.css'
import { SettingsColumn } from './settings/settings-column.tsx'
import { usePreview } from './use-preview.ts'

/** A conversation with the model, with a setting for every request parameter. */
export function PlaygroundPage() {
  const { data: me } = useSuspenseQuery(meQuery)
  const playground = usePlayground(me.user.id, useNumberSettings())
  useSharedSettings(playground)
  const { draft, numbers, replace } = playground
  const [active, setActive] = useState(0)
  const shown = Math.min(active, draft.columns.length - 1)
  const messages = nextMessages(draft)
  const bodies = draft.columns.map((settings) =>
    toRequest({ ...draft, messages }, parseSettings(settings, numbers).parameters),
  )
  const [firstBody, secondBody] = messages.length === 0 ? [] : bodies
  const firstPreview = usePreview(firstBody)
  const secondPreview = usePreview(secondBody)
  const preview = shown === 1 ? secondPreview : firstPreview
  const [shareOpened, share] = useDisclosure(false)
  const [codeOpened, code] = useDisclosure(false)
  const [historyOpened, history] = useDisclosure(false)
  useKeptConversation(me.user.id, playground)
  const clear = () => replace('Conversation cleared.', emptyConversation)
  return (
    <Page
      title="Playground"
      description={<ModelLine />}
      actions={
        <>
          <Button variant="default" size="xs" onClick={history.open}>
            History
          </Button>
          <Button variant="default" size="xs" onClick={share.open}>
            Share settings
          </Button>
          <Button variant="default" size="xs" onClick={code.open}>
            Code
          </Button>
          <Button variant="default" size="xs" disabled={isRunning(draft)} onClick={clear}>
            Clear
          </Button>
        </>
      }
    >
      <div className={classes['layout']}>
        <SettingsColumn
          playground={playground}
          active={shown}
          onActivate={setActive}
          schemaFaults={[firstPreview.schemaFault, secondPreview.schemaFault]}
        />
        <ConversationColumn playground={playground} preview={preview} />
      </div>
      <Suspense>
        {shareOpened && <ShareDialog columns={draft.columns} onClose={share.close} />}
        {historyOpened && (
          <HistoryDialog
            userId={me.user.id}
            isRunning={isRunning(draft)}
            onOpen={(kept, id) => {
              replace('Conversation opened.', { ...kept, historyId: id })
              history.close()
            }}
            onClose={history.close}
          />
        )}
        {codeOpened && <CodeDialog playground={playground} column={shown} onClose={code.close} />}
      </Suspense>
    </Page>
  )
}

/** Returns the number settings with the service's bounds. */
function useNumberSettings(): Playground['numbers'] {
  const { data } = useQuery(servingModelQuery)
  return numberSettings(data?.model.completion_tokens_max)
}

const { columns: _, ...emptyConversation } = emptyDraft

const ShareDialog = lazy(async () => ({
  default: (await import('./share-dialog.tsx')).ShareDialog,
}))
const HistoryDialog = lazy(async () => ({
  default: (await import('./history/history-dialog.tsx')).HistoryDialog,
}))
const CodeDialog = lazy(async () => ({
  default: (await import('./code-dialog.tsx')).CodeDialog,
}))

/** Applies the settings of a shared link once, and removes them from the address. */
function useSharedSettings({ replace }: Playground): void {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  useEffect(() => {
    const columns = fromFragment(hash)
    if (columns === undefined) return
    replace('Settings loaded from the link.', { columns, replies: [] })
    void navigate({ to: '/playground', replace: true })
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per link, not on each change of the draft
  }, [hash])
}
