import { randomBytes } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import type { ChatMessage } from '../../../engine.ts'
import { toolsAsText } from '../../../tools-as-text.ts'
import { callBegin, type Tool, toolObject } from '../../../tools.ts'

/** A part of a prompt: the template's own text, or the text of a message. */
export type PromptPart =
  | { readonly source: 'template'; readonly text: string }
  /** `isReply`: the model generated it. */
  | { readonly source: 'message'; readonly text: string; readonly isReply: boolean }

/** Thrown when the template raises an error for a conversation; the message is the template's. */
export class ConversationRefused extends Error {
  override readonly name = 'ConversationRefused'
}

const renderTimeoutMs = 1000
const renderedCharsMax = 4 * 1024 * 1024

export class ChatTemplate {
  readonly #template: Template
  readonly #constants: Readonly<Record<string, string>>
  readonly #specialPattern: RegExp | undefined
  /** The template describes tools and writes calls in the form that this service reads. */
  readonly #knowsTools: boolean
  /** Stops a template that runs too long: it is a program from the model's file. */
  readonly #watchdog = createContext({ render: (): string => '' })
  readonly #script = new Script('render()')

  /** @throws Error when the source is not a template */
  constructor(
    source: string,
    constants: { bos_token: string; eos_token: string },
    specialPattern: RegExp | undefined,
  ) {
    this.#template = new Template(source)
    this.#constants = constants
    this.#specialPattern = specialPattern
    this.#knowsTools = /\btools\b/.test(source) && source.includes(callBegin)
  }

  /**
   * Renders the prompt in parts. It renders a placeholder for the content of each message, so that
   * a user's text is never taken for the template's. Texts of special tokens inside tools, which
   * the template writes as JSON, are broken up instead.
   * @throws ConversationRefused
   */
  render(conversation: readonly ChatMessage[], allTools: readonly Tool[] = []): PromptPart[] {
    const messages = this.#knowsTools ? conversation : toolsAsText(conversation, allTools)
    const tools = this.#knowsTools ? allTools : []
    const nonce = newNonce()
    const breaker = new Breaker(this.#specialPattern)
    const placed = this.#renderText(
      messages.map((message, index) => ({
        ...breaker.break(messageObject(message)),
        // Templates test whether a message with calls has a text too.
        content:
          message.content === '' && message.toolCalls !== undefined ? '' : `\f${nonce}:${index}\f`,
      })),
      breaker.break(tools.map(toolObject)),
    )
    const parts = splitAtPlaceholders(placed, nonce, messages).flatMap((part) =>
      part.source === 'message' ? [part] : breaker.split(part.text),
    )
    const plain = this.#renderText(messages.map(messageObject), tools.map(toolObject))
    if (parts.map(({ text }) => text).join('') === plain) return parts
    // The template's text depends on the contents (it removes thoughts, or greets by name).
    const broken = this.#renderText(
      breaker.break(messages.map(messageObject)),
      breaker.break(tools.map(toolObject)),
    )
    return breaker.split(broken)
  }

  #renderText(messages: readonly TemplateMessage[], tools: readonly object[]): string {
    const values = {
      ...this.#constants,
      messages,
      // An empty list would make some templates write a section for tools.
      ...(tools.length > 0 && { tools }),
      add_generation_prompt: true,
    }
    this.#watchdog['render'] = () => this.#template.render(values)
    let rendered: unknown
    try {
      rendered = this.#script.runInContext(this.#watchdog, { timeout: renderTimeoutMs })
    } catch (error) {
      throw new ConversationRefused(reasonOf(error))
    }
    if (typeof rendered !== 'string' || rendered.length > renderedCharsMax) {
      throw new ConversationRefused('the rendered prompt is too long')
    }
    return rendered
  }
}

type TemplateMessage = { readonly role: string; readonly content: string }

function messageObject({ role, content, toolCalls, toolCallId }: ChatMessage): TemplateMessage {
  const calls = toolCalls?.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.parse(text) },
  }))
  return {
    role,
    content,
    ...(calls !== undefined && { tool_calls: calls }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }
}

/** Returns random digits, which no filter of a template changes. */
function newNonce(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`).toString()
}

/**
 * Breaks up the texts of special tokens with a nonce after their first character, and restores
 * them.
 */
class Breaker {
  readonly #pattern: RegExp | undefined
  readonly #nonce = newNonce()

  constructor(pattern: RegExp | undefined) {
    this.#pattern = pattern
  }

  /** Breaks up special tokens in all strings of a value, names of members included. */
  break<T>(value: T): T
  break(value: unknown): unknown {
    if (typeof value === 'string') return this.#breakText(value)
    if (Array.isArray(value)) return value.map((item) => this.break(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#breakText(name), this.break(member)]),
    )
  }

  /**
   * Removes the nonces; the character before each is a message's text, so that no token is formed.
   */
  split(text: string): PromptPart[] {
    const pieces = text.split(this.#nonce)
    const last = pieces.pop() ?? ''
    const parts = pieces.flatMap((piece) => {
      const first = lastCharacter(piece)
      const before = piece.slice(0, piece.length - first.length)
      return [templatePart(before), messagePart(first)]
    })
    return [...parts, templatePart(last)]
  }

  #breakText(text: string): string {
    if (this.#pattern === undefined) return text
    return text
      .split(this.#pattern)
      .map((part, index) => {
        const [first = '', ...rest] = part
        return index % 2 === 1 ? first + this.#nonce + rest.join('') : part
      })
      .join('')
  }
}

/** Returns the last code point, which may be a surrogate pair. */
function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? ''
}

/** Matches the part of a placeholder after the nonce. */
const placeholderRest = /^:(\d+)(\f?)/

/**
 * Replaces the placeholders with the messages' contents. The form feeds around a placeholder show
 * on which sides the template trims. The nonce is not part of a regular expression, because V8
 * would compile each one to machine code: megabytes until the next garbage collection.
 */
function splitAtPlaceholders(
  rendered: string,
  nonce: string,
  messages: readonly ChatMessage[],
): PromptPart[] {
  let [text = '', ...pieces] = rendered.split(nonce)
  const parts: PromptPart[] = []
  const endText = (): void => {
    if (text !== '') parts.push(templatePart(text))
  }
  for (const piece of pieces) {
    const [rest = '', message, after] = placeholderRest.exec(piece) ?? []
    if (message === undefined) {
      // The template has cut the placeholder; the caller finds that the text differs from the
      // prompt.
      text += nonce + piece
      continue
    }
    const trimsStart = !text.endsWith('\f')
    if (!trimsStart) text = text.slice(0, -1)
    endText()
    text = piece.slice(rest.length)
    const { role, content: whole = '' } = messages[Number(message)] ?? {}
    let content = whole
    if (trimsStart) content = content.trimStart()
    if (after === '') content = content.trimEnd()
    parts.push(messagePart(content, role === 'assistant'))
  }
  endText()
  return parts
}

function templatePart(text: string): PromptPart {
  return { source: 'template', text }
}

function messagePart(text: string, isReply = false): PromptPart {
  return { source: 'message', text, isReply }
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'it fails'
  // The watchdog's error comes from another V8 context, so it is not an instance of this `Error`.
  if ('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'it takes too long'
  const message = 'message' in error ? String(error.message) : 'it fails'
  return message.replaceAll(/\s+/g, ' ').slice(0, 200)
}
