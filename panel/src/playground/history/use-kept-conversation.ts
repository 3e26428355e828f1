import { useEffect, useRef } from 'react'
import { isRunning } from '../draft.ts'
import { writeDraft } from '../draft-store.ts'
import type { Playground } from '../use-playground.ts'
import { keepConversation } from './history-store.ts'

/** Saves the conversation after each reply, if the user has turned the history on. */
export function useKeptConversation(userId: string, { draft, edit }: Playground): void {
  const wasRunning = useRef(false)
  const running = isRunning(draft)
  useEffect(() => {
    const hasEnded = wasRunning.current && !running
    wasRunning.current = running
    if (!hasEnded) return
    const id = draft.historyId ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`
    keepConversation(localStorage, userId, {
      id,
      savedMs: Date.now(),
      title: draft.messages.find(({ role }) => role === 'user')?.content ?? '',
      text: writeDraft(draft),
    })
    edit({ historyId: id })
  }, [running, userId, draft, edit])
}
