import { isObject, parseJson } from '../json-text.ts'

/** A conversation kept in this browser. `text` is a draft written by `writeDraft`. */
type KeptConversation = Readonly<{
  id: string
  savedMs: number
  title: string
  text: string
}>

const conversationsMax = 20
/** Browsers store about five million characters for a site. */
const charsMax = 2_000_000
const titleCharsMax = 80

/** Returns whether the user has turned the history on in this browser. */
export function keepsHistory(storage: Storage, userId: string): boolean {
  return storage.getItem(storageKey(userId)) !== null
}

/** Turns the history on. */
export function startHistory(storage: Storage, userId: string): void {
  if (!keepsHistory(storage, userId)) write(storage, userId, [])
}

/** Turns the history off and erases it. */
export function eraseHistory(storage: Storage, userId: string): void {
  storage.removeItem(storageKey(userId))
}

/** Returns the kept conversations, latest first, without damaged ones. */
export function loadHistory(storage: Storage, userId: string): readonly KeptConversation[] {
  const parsed = parseJson(storage.getItem(storageKey(userId)) ?? '[]')
  if ('fault' in parsed || !Array.isArray(parsed.value)) return []
  return parsed.value.slice(0, conversationsMax).flatMap((value: unknown) => {
    if (!isObject(value)) return []
    const { id, savedMs, title, text } = value
    return typeof id === 'string' &&
      typeof savedMs === 'number' &&
      typeof title === 'string' &&
      typeof text === 'string'
      ? [{ id, savedMs, title, text }]
      : []
  })
}

/**
 * Saves a conversation in place of its earlier version. Then drops the oldest conversations that do not fit within
 * `conversationsMax` and `charsMax`.
 */
export function keepConversation(storage: Storage, userId: string, kept: KeptConversation): void {
  if (!keepsHistory(storage, userId)) return
  const others = loadHistory(storage, userId).filter(({ id }) => id !== kept.id)
  const title = kept.title.trim().replace(/\s+/g, ' ').slice(0, titleCharsMax)
  const all = [{ ...kept, title }, ...others].slice(0, conversationsMax)
  let chars = 0
  write(
    storage,
    userId,
    all.filter(({ text }) => (chars += text.length) <= charsMax),
  )
}

/** Erases one conversation. */
export function removeConversation(storage: Storage, userId: string, removed: string): void {
  write(
    storage,
    userId,
    loadHistory(storage, userId).filter(({ id }) => id !== removed),
  )
}

function write(storage: Storage, userId: string, all: readonly KeptConversation[]): void {
  try {
    storage.setItem(storageKey(userId), JSON.stringify(all))
  } catch {
    // The storage is full or blocked: the history keeps its earlier state.
  }
}

function storageKey(userId: string): string {
  return `pipit.playground.history.${userId}`
}
