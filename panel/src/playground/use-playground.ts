import { useCallback, useEffect, useRef, useState } from 'react'
import { toRequest } from './conversation.ts'
import { beginReplies, type Draft } from './draft.ts'
import { keepDraft, loadDraft } from './draft-store.ts'
import type { Reply } from './reply.ts'
import { parseSettings } from './settings.ts'
import { streamReply } from './stream-reply.ts'

const keepDelayMs = 400

export type Playground = {
  draft: Draft
  edit: (change: Partial<Draft>) => void
  /** As `edit`, for what takes something away: it can be undone until the next request. */
  replace: (words: string, change: Partial<Draft>) => void
  undo: Undo | undefined
  /** Asks for a reply to this, in each column; only while none is running. */
  ask: (draft: Draft) => void
  stop: () => void
  /** Whether a reload would find all of it again. */
  kept: boolean
}

/** What was replaced, in words, and how it was before. */
export type Undo = { words: string; run: () => void }

/** One conversation, kept for this tab and user, and the replies that run in it. */
export function usePlayground(userId: string): Playground {
  const [draft, setDraft] = useState(() => loadDraft(sessionStorage, userId))
  const kept = useKept(userId, draft)
  const controls = useRef<AbortController>(undefined)
  useEffect(() => () => controls.current?.abort(), [])

  const edit = useCallback(
    (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    [],
  )
  const [undo, setUndo] = useState<Undo>()
  const replace = (words: string, change: Partial<Draft>) => {
    const names = Object.keys(change)
    const before = Object.fromEntries(
      Object.entries(draft).filter(([name]) => names.includes(name)),
    )
    const run = () => {
      edit(before)
      setUndo(undefined)
    }
    setUndo({ words, run })
    edit(change)
  }
  const stop = useCallback(() => controls.current?.abort(), [])
  const ask = (asked: Draft) => {
    const begun = beginReplies(asked)
    setDraft(begun)
    setUndo(undefined)
    const control = new AbortController()
    controls.current = control
    begun.columns.forEach((settings, column) => {
      const show = (reply: Reply) => setDraft((before) => withReplyAt(before, column, reply))
      const body = toRequest(begun, parseSettings(settings).parameters)
      void streamReply(body, show, control.signal).then(show)
    })
  }
  return { draft, edit, replace, undo, ask, stop, kept }
}

function withReplyAt(draft: Draft, column: number, reply: Reply): Draft {
  return {
    ...draft,
    replies: draft.replies.map((earlier, i) => (i === column ? reply : earlier)),
  }
}

/** Writes the draft a little after each change, and at once when the page goes. */
function useKept(userId: string, draft: Draft): boolean {
  const [kept, setKept] = useState(true)
  const latest = useRef(draft)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = draft
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setKept(keepDraft(sessionStorage, userId, latest.current))
    }, keepDelayMs)
  }, [draft, userId])
  useEffect(() => {
    const keepNow = () => keepDraft(sessionStorage, userId, latest.current)
    window.addEventListener('pagehide', keepNow)
    return () => {
      window.removeEventListener('pagehide', keepNow)
      clearTimeout(timer.current)
      timer.current = undefined
      keepNow()
    }
  }, [userId])
  return kept
}
