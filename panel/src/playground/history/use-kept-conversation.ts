import { useEffect, useRef } from 'react'
import { type Draft, isRunning } from '../draft.ts'
import { writeDraft } from '../draft-store.ts'
import { keepConversation } from './history-store.ts'

/**
 * Saves the conversation after each reply, if the user has turned the history on.
 * @returns a function that sets the id of the saved conversation that the draft continues
 */
export function useKeptConversation(userId: string, draft: Draft): (id: string) => void {
  const id = useRef<string>(undefined)
  const wasRunning = useRef(false)
  const running = isRunning(draft)
  const isEmpty = draft.messages.length === 0
  useEffect(() => {
    if (isEmpty) id.current = undefined
  }, [isEmpty])
  useEffect(() => {
    const hasEnded = wasRunning.current && !running
    wasRunning.current = running
    if (!hasEnded) return
    id.current ??= `${Date.now()}-${Math.random().toString(36).slice(2)}`
    keepConversation(localStorage, userId, {
      id: id.current,
      savedMs: Date.now(),
      title: draft.messages.find(({ role }) => role === 'user')?.content ?? '',
      text: writeDraft(draft),
    })
  }, [running, userId, draft])
  return (kept) => {
    id.current = kept
  }
}
