import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionEndedEvent } from '../api.ts'

const SessionDialog = lazy(async () => ({
  default: (await import('./session-dialog.tsx')).SessionDialog,
}))

/** Opens the sign-in dialog when any request finds that the session has ended. */
export function SessionWatch() {
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    const openDialog = () => setEnded(true)
    window.addEventListener(sessionEndedEvent, openDialog)
    return () => window.removeEventListener(sessionEndedEvent, openDialog)
  }, [])
  if (!ended) return null
  return (
    <Suspense>
      <SessionDialog onClose={() => setEnded(false)} />
    </Suspense>
  )
}
