const announcementCharsMax = 600

/** Divides the texts of replies, one after another, into announcements for a screen reader. */
export class Announcer {
  #text: string
  #ended = false
  /** Number of the text's characters that were announced. */
  #announced: number

  /** @param text the text of a reply that is shown already, which is not announced */
  constructor(text: string) {
    this.#text = text
    this.#announced = text.length
  }

  /** Receives the text so far. A text that does not continue the earlier one is a new reply. */
  update(text: string, ended: boolean): void {
    if (!text.startsWith(this.#text)) this.#announced = 0
    this.#text = text
    this.#ended = ended
  }

  /** Returns the next announcement; empty if there is none yet. */
  next(): string {
    const next = nextAnnouncement(this.#text.slice(this.#announced), this.#ended)
    this.#announced += next.length
    return next
  }
}

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
