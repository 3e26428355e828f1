import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Announcer } from '../../../playground/announcement.ts'

const announceIntervalMs = 2_500
const announcementsKept = 8

/** Announces a growing text to screen readers, in whole sentences and at most every 2.5 seconds. */
export function LiveText({ text, ended }: { text: string; ended: boolean }) {
  const [announcements, setAnnouncements] = useState<readonly { id: number; text: string }[]>([])
  const [announcer] = useState(() => new Announcer(text))
  useEffect(() => announcer.update(text, ended), [announcer, text, ended])
  useEffect(() => {
    let id = 0
    const timer = setInterval(() => {
      const next = announcer.next()
      if (next === '') return
      id += 1
      const added = { id, text: next }
      setAnnouncements((before) => [...before.slice(1 - announcementsKept), added])
    }, announceIntervalMs)
    return () => clearInterval(timer)
  }, [announcer])
  return (
    <VisuallyHidden role="log" aria-live="polite" aria-label="Reply">
      {announcements.map(({ id, text: sentence }) => (
        <p key={id}>{sentence}</p>
      ))}
    </VisuallyHidden>
  )
}
