import { useCallback, useEffect, useRef, useState } from 'react'
import { toRequest } from './conversation.ts'
import { startReplies, type Draft } from './draft.ts'
import { saveDraft, loadDraft } from './draft-store.ts'
import { type Reply, startReply } from './reply.ts'
import { type NumberSetting, parseSettings } from './settings.ts'
import { streamReply } from './stream-reply.ts'

const saveDelayMs = 400

export type Playground = {
  draft: Draft
  /** The number settings with the service's bounds. */
  numbers: readonly NumberSetting[]
  edit: (change: Partial<Draft>) => void
  /** Like `edit`, for a change that discards something. Can be undone until the next request or edit of its fields. */
  replace: (message: string, change: Partial<Draft>) => void
  undo: Undo | undefined
  /** Requests a reply in each column. Call it only while none is running. */
  send: (draft: Draft) => void
  stop: () => void
  /** True when the draft is saved and survives a reload. */
  saved: boolean
}

/** A message that names the change, the fields before it, and a function that restores them. */
type Undo = { message: string; before: Partial<Draft>; run: () => void }

/** Owns the conversation of this tab and user, and its running replies. */
export function usePlayground(userId: string, numbers: readonly NumberSetting[]): Playground {
  const [draft, setDraft] = useState(() => loadDraft(sessionStorage, userId))
  const saved = useSavedDraft(userId, draft)
  const controls = useRef<AbortController>(undefined)
  useEffect(() => () => controls.current?.abort(), [])

  const [undo, setUndo] = useState<Undo>()
  const stop = useCallback(() => controls.current?.abort(), [])
  const edit = useCallback((change: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...change }))
    // Undo restores whole fields, so it would also revert this change.
    setUndo((last) =>
      last && Object.keys(change).some((name) => name in last.before) ? undefined : last,
    )
  }, [])
  const replace = (message: string, change: Partial<Draft>) => {
    const names = Object.keys(change)
    const before = Object.fromEntries(
      Object.entries(withRepliesStopped(draft)).filter(([name]) => names.includes(name)),
    )
    if (change.replies !== undefined) stop()
    edit(change)
    setUndo({ message, before, run: () => edit(before) })
  }
  const send = (sent: Draft) => {
    controls.current?.abort()
    const started = startReplies(sent)
    setDraft(started)
    setUndo(undefined)
    const control = new AbortController()
    controls.current = control
    started.columns.forEach((settings, column) => {
      const show = (reply: Reply) => {
        // A later request may have taken its place.
        if (controls.current === control) setDraft((before) => withReplyAt(before, column, reply))
      }
      const body = toRequest(started, parseSettings(settings, numbers).parameters)
      void streamReply(body, startReply(settings), show, control.signal).then(show)
    })
  }
  return { draft, numbers, edit, replace, undo, send, stop, saved }
}

function withRepliesStopped(draft: Draft): Draft {
  const replies = draft.replies.map((reply): Reply =>
    reply.outcome.state === 'running' ? { ...reply, outcome: { state: 'stopped' } } : reply,
  )
  return { ...draft, replies }
}

function withReplyAt(draft: Draft, column: number, reply: Reply): Draft {
  return {
    ...draft,
    replies: draft.replies.map((earlier, i) => (i === column ? reply : earlier)),
  }
}

/** Saves the draft shortly after each change, and immediately when the page is left. */
function useSavedDraft(userId: string, draft: Draft): boolean {
  const [saved, setSaved] = useState(true)
  const latest = useRef(draft)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = draft
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setSaved(saveDraft(sessionStorage, userId, latest.current))
    }, saveDelayMs)
  }, [draft, userId])
  useEffect(() => {
    const saveNow = () => saveDraft(sessionStorage, userId, latest.current)
    window.addEventListener('pagehide', saveNow)
    return () => {
      window.removeEventListener('pagehide', saveNow)
      clearTimeout(timer.current)
      timer.current = undefined
      saveNow()
    }
  }, [userId])
  return saved
}
