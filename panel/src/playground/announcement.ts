const announcementCharsMax = 600

/**
 * Returns the next part of a growing text for a screen reader: whole sentences, or the rest once the
 * text has ended; at most 600 characters.
 */
export function nextAnnouncement(rest: string, ended: boolean): string {
  const some = rest.slice(0, announcementCharsMax)
  if (ended && some.length === rest.length) return some
  const sentences = /^[\s\S]*[.!?。！？:;\n](?=\s|$)/u.exec(some)?.[0]
  if (sentences !== undefined) return sentences
  // An overlong sentence is cut after its last whole word.
  return some.length < announcementCharsMax ? '' : some.replace(/\S*$/u, '') || some
}
