import { randomBytes } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import type { ChatMessage } from '../../engine.ts'
import { callBegin, type Tool, toolObject } from '../../tools.ts'
import { toolsAsText } from '../../tools-as-text.ts'

/** A part of a prompt: the template's own text, or what somebody wrote, perhaps the model. */
export type PromptPart = {
  readonly written: boolean
  readonly text: string
  readonly isReply?: true
}

/** The template says no to this conversation. */
export class ConversationRefused extends Error {
  override readonly name = 'ConversationRefused'
}

const renderTimeoutMs = 1000
/** What a template may add to the contents. */
const renderedCharsMax = 4 * 1024 * 1024

export class ChatTemplate {
  readonly #template: Template
  readonly #constants: Readonly<Record<string, string>>
  readonly #specialPattern: RegExp | undefined
  /** And writes calls as they are read here. */
  readonly #knowsTools: boolean
  /** A template is a program from the model's file: it runs under a watchdog. */
  readonly #watchdog = createContext({ render: (): string => '' })
  readonly #script = new Script('render()')

  /** @throws Error when it is not a template */
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
   * The prompt in parts, of which those with `written` are the messages' contents: it is rendered
   * with a placeholder for each, so nothing that a user writes is taken for the template's text.
   * Tools, which a template writes as JSON, go in with their special tokens' texts broken.
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
        // Templates ask whether there is a text beside the calls.
        content:
          message.content === '' && message.toolCalls !== undefined ? '' : `\f${nonce}:${index}\f`,
      })),
      breaker.break(tools.map(toolObject)),
    )
    const parts = splitAtPlaceholders(placed, nonce, messages).flatMap((part) =>
      part.written ? [part] : breaker.split(part.text),
    )
    const plain = this.#renderText(messages.map(messageObject), tools.map(toolObject))
    if (parts.map(({ text }) => text).join('') === plain) return parts
    // The template looks into the contents (it cuts out thoughts, or greets by name).
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
      // Without tools a template must not say that there are some.
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

/** Digits alone, which no filter of a template changes. */
function newNonce(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`).toString()
}

/** Puts a nonce into each special token's text, and takes it out again. */
class Breaker {
  readonly #pattern: RegExp | undefined
  readonly #nonce = newNonce()

  constructor(pattern: RegExp | undefined) {
    this.#pattern = pattern
  }

  /** All strings in a value, names of members too. */
  break<T>(value: T): T
  break(value: unknown): unknown {
    if (typeof value === 'string') return this.#breakText(value)
    if (Array.isArray(value)) return value.map((item) => this.break(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#breakText(name), this.break(member)]),
    )
  }

  /** What was broken is what somebody wrote. */
  split(text: string): PromptPart[] {
    const pieces = text.split(this.#nonce)
    const last = pieces.pop() ?? ''
    const parts = pieces.flatMap((piece) => {
      const first = lastCharacter(piece)
      const before = piece.slice(0, piece.length - first.length)
      return [
        { written: false, text: before },
        { written: true, text: first },
      ]
    })
    return [...parts, { written: false, text: last }]
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

/** Half of a pair of surrogates is none. */
function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? ''
}

/** What follows the nonce in a placeholder. */
const placeholderRest = /^:(\d+)(\f?)/

/**
 * The form feeds around a placeholder show on which sides the template trims. The nonce is in no regular
 * expression: each prompt would bring machine code of its own, megabytes of it until the next collection.
 */
function splitAtPlaceholders(
  rendered: string,
  nonce: string,
  messages: readonly ChatMessage[],
): PromptPart[] {
  let [text = '', ...pieces] = rendered.split(nonce)
  const parts: PromptPart[] = []
  const endText = (): void => {
    if (text !== '') parts.push({ written: false, text })
  }
  for (const piece of pieces) {
    const [rest = '', message, after] = placeholderRest.exec(piece) ?? []
    if (message === undefined) {
      // The template has cut it: what is left is found to differ from the prompt.
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
    parts.push({ written: true, text: content, ...(role === 'assistant' && { isReply: true }) })
  }
  endText()
  return parts
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'it fails'
  // The watchdog's error belongs to its own context, so it is no instance of this one's `Error`.
  if ('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'it takes too long'
  const message = 'message' in error ? String(error.message) : 'it fails'
  return message.replaceAll(/\s+/g, ' ').slice(0, 200)
}
