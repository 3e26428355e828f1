import { isObject } from '../playground/json-text.ts'

/** Steps that are recorded only in this browser. The service knows about the others. */
export type FirstStepMark = 'copied' | 'seen' | 'dismissed'
export type FirstStepMarks = Readonly<Record<FirstStepMark, boolean>>

const noMarks: FirstStepMarks = { copied: false, seen: false, dismissed: false }

/** Loads the steps that this user has done in this browser. None if the storage is blocked or its value is damaged. */
export function loadMarks(userId: string): FirstStepMarks {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? 'null')
    if (!isObject(saved)) return noMarks
    return {
      copied: saved['copied'] === true,
      seen: saved['seen'] === true,
      dismissed: saved['dismissed'] === true,
    }
  } catch {
    return noMarks
  }
}

/** Records a step as done. Without storage, the checklist stays open, which does no harm. */
export function saveMark(userId: string, mark: FirstStepMark): void {
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify({ ...loadMarks(userId), [mark]: true }))
  } catch {
    // The storage is full or blocked.
  }
}

function storageKey(userId: string): string {
  return `pipit.first-steps.${userId}`
}
