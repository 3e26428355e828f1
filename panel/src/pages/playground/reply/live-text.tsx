import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { nextAnnouncement } from '../../../playground/announcement.ts'

const announceIntervalMs = 2_500
const announcementsKept = 8

/** Announces a growing text to screen readers, in whole sentences and at most every 2.5 seconds. */
export function LiveText({ text, ended }: { text: string; ended: boolean }) {
  const [announcements, setAnnouncements] = useState<readonly { id: number; text: string }[]>([])
  const latest = useRef({ text, ended })
  latest.current = { text, ended }
  useEffect(() => {
    let announced = latest.current.text.length
    const timer = setInterval(() => {
      const { text: now, ended: isLast } = latest.current
      if (now.length < announced) announced = 0
      const next = nextAnnouncement(now.slice(announced), isLast)
      if (next === '') return
      announced += next.length
      setAnnouncements((before) => [
        ...before.slice(1 - announcementsKept),
        { id: announced, text: next },
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
