const announcementCharsMax = 600

/**
 * What of the text that is not read out yet can be read out now: whole sentences, or all that is
 * left at the end; never more than is bearable at once.
 */
export function nextAnnouncement(rest: string, ended: boolean): string {
  const some = rest.slice(0, announcementCharsMax)
  if (ended && some.length === rest.length) return some
  const sentences = /^[\s\S]*[.!?。！？:;\n](?=\s|$)/u.exec(some)?.[0]
  if (sentences !== undefined) return sentences
  // A sentence without an end: up to the last whole word.
  return some.length < announcementCharsMax ? '' : some.replace(/\S*$/u, '') || some
}
