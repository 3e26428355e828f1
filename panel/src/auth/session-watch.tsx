import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionEndedEvent } from '../api.ts'

const SessionDialog = lazy(async () => ({
  default: (await import('./session-dialog.tsx')).SessionDialog,
}))

/** Whatever asks the service first without a session brings up the dialog. */
export function SessionWatch() {
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    const noticeEnd = () => setEnded(true)
    window.addEventListener(sessionEndedEvent, noticeEnd)
    return () => window.removeEventListener(sessionEndedEvent, noticeEnd)
  }, [])
  if (!ended) return null
  return (
    <Suspense>
      <SessionDialog onClose={() => setEnded(false)} />
    </Suspense>
  )
}
