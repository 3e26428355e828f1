import type { Usage } from '../../../src/protocol/chat/usage.ts'
import { messageRoles, messagesMax, newMessage, type Message } from './conversation.ts'
import { emptyDraft, type Draft, type KeptReply, type ReplyPlace } from './draft.ts'
import { isObject } from './json-text.ts'
import { type Choice, formatOf, type Outcome, type Reply, type ReplyFormat } from './reply.ts'
import { parseToolCalls } from './tools/tool-calls.ts'
import { toolsMax } from './tools/tool-definitions.ts'
import { defaultSettings, isSettingName, type Settings } from './settings.ts'

/** Above the 1 MB that the service accepts, and below the roughly 5 MB that browsers store. */
const draftCharsMax = 2_000_000

/** Saves the draft for this tab. @returns false when it is too large or the storage is full */
export function saveDraft(storage: Storage, userId: string, draft: Draft): boolean {
  const text = writeDraft(draft)
  if (text.length > draftCharsMax) return false
  try {
    storage.setItem(storageKey(userId), text)
    return true
  } catch {
    return false
  }
}

/** Writes a draft as text. */
export function writeDraft(draft: Draft): string {
  return JSON.stringify({
    ...draft,
    // Log-probabilities are large; regenerating brings them back.
    replies: draft.replies.map(withoutLogprobs),
    ...(draft.kept && { kept: { ...draft.kept, reply: withoutLogprobs(draft.kept.reply) } }),
  })
}

function withoutLogprobs(reply: Reply): Reply {
  return { ...reply, choices: reply.choices.map((choice) => ({ ...choice, logprobs: [] })) }
}

/** Parses the text of a draft. Drops invalid parts, and returns an empty draft if the text is damaged. */
export function readDraft(text: string): Draft {
  try {
    const saved: unknown = JSON.parse(text)
    return isObject(saved) ? parseDraft(saved) : emptyDraft
  } catch {
    return emptyDraft
  }
}

/** Loads the saved draft. Drops invalid parts and marks a reply that was running as failed. */
export function loadDraft(storage: Storage, userId: string): Draft {
  try {
    return readDraft(storage.getItem(storageKey(userId)) ?? 'null')
  } catch {
    return emptyDraft
  }
}

function storageKey(userId: string): string {
  return `pipit.playground.${userId}`
}

function parseDraft(saved: Record<string, unknown>): Draft {
  const columns = toList(saved['columns']).slice(0, 2).map(parseSettings)
  return {
    system: toText(saved['system']),
    messages: toList(saved['messages']).slice(0, messagesMax).flatMap(parseMessage),
    input: toText(saved['input']),
    columns: columns.length === 0 ? emptyDraft.columns : columns,
    replies: toList(saved['replies'])
      .slice(0, columns.length)
      .flatMap((reply, column) => parseReply(reply, columns[column])),
    chosen: parsePlace(saved['chosen']),
    kept: parseKept(saved['kept']),
    // A duplicated tab has a copy of the draft, and must not replace the conversation of the first one.
    historyId: undefined,
  }
}

function parseKept(value: unknown): KeptReply | undefined {
  if (!isObject(value)) return undefined
  const [reply] = parseReply(value['reply'], parseSettings(value['settings']))
  if (reply === undefined) return undefined
  return { reply, model: parseText(value['model']) }
}

function parsePlace(value: unknown): ReplyPlace {
  const place = isObject(value) ? value : {}
  return { column: toNumber(place['column']) ?? 0, choice: toNumber(place['choice']) ?? 0 }
}

function parseMessage(value: unknown): Message[] {
  if (!isObject(value)) return []
  const role = messageRoles.find((name) => name === value['role'])
  if (role === undefined) return []
  const toolCalls = parseToolCalls(value['toolCalls'], toolsMax)
  const toolCallId = toText(value['toolCallId'])
  return [
    {
      ...newMessage(role, toText(value['content'])),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(toolCallId !== '' && { toolCallId }),
    },
  ]
}

function parseSettings(value: unknown): Settings {
  const settings = { ...defaultSettings }
  for (const [name, text] of Object.entries(isObject(value) ? value : {}))
    if (isSettingName(name)) settings[name] = toText(text)
  return settings
}

/** @param settings those beside the reply, which give its format if an earlier version of the panel saved it */
function parseReply(value: unknown, settings = defaultSettings): Reply[] {
  if (!isObject(value)) return []
  return [
    {
      outcome: parseOutcome(value['outcome']),
      format: parseFormat(value['format']) ?? formatOf(settings),
      choices: toList(value['choices']).slice(0, 4).map(parseChoice),
      requestId: parseText(value['requestId']),
      fingerprint: parseText(value['fingerprint']),
      usage: parseUsage(value['usage']),
      firstTokenMs: toNumber(value['firstTokenMs']),
      elapsedMs: toNumber(value['elapsedMs']) ?? 0,
      deltas: toNumber(value['deltas']) ?? 0,
    },
  ]
}

function parseFormat(value: unknown): ReplyFormat | undefined {
  if (!isObject(value)) return undefined
  return { isJson: value['isJson'] === true, schema: toText(value['schema']) }
}

function parseOutcome(value: unknown): Outcome {
  const outcome = isObject(value) ? value : {}
  switch (outcome['state']) {
    case 'completed':
      return { state: 'completed' }
    case 'stopped':
      return { state: 'stopped' }
    case 'failed':
      return { state: 'failed', message: toText(outcome['message']) }
    default:
      return { state: 'failed', message: 'You left the page before the reply was complete.' }
  }
}

function parseChoice(value: unknown): Choice {
  const choice = isObject(value) ? value : {}
  const finishReason = (['stop', 'length', 'tool_calls'] as const).find(
    (reason) => reason === choice['finishReason'],
  )
  const thought = toText(choice['thought'])
  const toolCalls = parseToolCalls(choice['toolCalls'], toolsMax)
  return {
    text: toText(choice['text']),
    ...(thought !== '' && { thought }),
    ...(toolCalls.length > 0 && { toolCalls }),
    finishReason,
    logprobs: [],
  }
}

function parseUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const details = value['prompt_tokens_details']
  const [prompt, completion] = [
    toNumber(value['prompt_tokens']),
    toNumber(value['completion_tokens']),
  ]
  if (prompt === undefined || completion === undefined) return undefined
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: (isObject(details) ? toNumber(details['cached_tokens']) : undefined) ?? 0,
    },
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parseText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
