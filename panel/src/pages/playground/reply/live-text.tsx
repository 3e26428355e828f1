import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { nextAnnouncement } from '../../../playground/announcement.ts'

const announceIntervalMs = 2_500
const announcementsKept = 8

/** Reads a growing text out to a screen reader, in whole sentences and not faster than one can listen. */
export function LiveText({ text, ended }: { text: string; ended: boolean }) {
  const [announcements, setAnnouncements] = useState<readonly { id: number; text: string }[]>([])
  const latest = useRef({ text, ended })
  latest.current = { text, ended }
  useEffect(() => {
    let said = latest.current.text.length
    const timer = setInterval(() => {
      const { text: now, ended: isLast } = latest.current
      if (now.length < said) said = 0
      const next = nextAnnouncement(now.slice(said), isLast)
      if (next === '') return
      said += next.length
      setAnnouncements((before) => [
        ...before.slice(1 - announcementsKept),
        { id: said, text: next },
      ])
    }, announceIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <VisuallyHidden role="log" aria-live="polite" aria-label="Reply">
      {announcements.map(({ id, text: sentence }) => (
        <p key={id}>{sentence}</p>
      ))}
    </VisuallyHidden>
  )
}
