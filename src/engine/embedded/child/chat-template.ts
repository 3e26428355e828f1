import { randomBytes } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import type { ChatMessage } from '../../engine.ts'

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
  }

  /**
   * The prompt in parts, of which those with `written` are the messages' contents: it is rendered
   * with a placeholder for each, so nothing that a user writes is taken for the template's text.
   * @throws ConversationRefused
   */
  render(messages: readonly ChatMessage[]): PromptPart[] {
    // Digits alone, which no filter of a template changes.
    const nonce = BigInt(`0x${randomBytes(16).toString('hex')}`).toString()
    const placed = this.#renderText(
      messages.map(({ role }, index) => ({ role, content: `\f${nonce}:${index}\f` })),
    )
    const parts = splitAtPlaceholders(placed, nonce, messages)
    const plain = this.#renderText(messages)
    if (parts.map(({ text }) => text).join('') === plain) return parts
    // The template looks into the contents (it cuts out thoughts, or greets by name).
    return this.#renderBroken(messages, nonce)
  }

  /** Contents go in as they are, except for a nonce inside each special token's text. */
  #renderBroken(messages: readonly ChatMessage[], nonce: string): PromptPart[] {
    const pattern = this.#specialPattern
    const broken = messages.map(({ role, content }) => ({
      role,
      content:
        pattern === undefined
          ? content
          : content
              .split(pattern)
              .map((text, index) => (index % 2 === 1 ? breakText(text, nonce) : text))
              .join(''),
    }))
    return this.#renderText(broken)
      .split(new RegExp(`(.)${nonce}`, 'su'))
      .map((text, index) => ({ written: index % 2 === 1, text }))
  }

  #renderText(messages: readonly ChatMessage[]): string {
    const values = { ...this.#constants, messages, add_generation_prompt: true }
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

function breakText(text: string, nonce: string): string {
  const [first = '', ...rest] = text
  return first + nonce + rest.join('')
}

/** The form feeds around a placeholder show on which sides the template trims. */
function splitAtPlaceholders(
  rendered: string,
  nonce: string,
  messages: readonly ChatMessage[],
): PromptPart[] {
  const pieces = rendered.split(new RegExp(`(\\f?)${nonce}:(\\d+)(\\f?)`))
  const parts: PromptPart[] = []
  for (let index = 0; index < pieces.length; index += 4) {
    const [text = '', before, message, after] = pieces.slice(index, index + 4)
    if (text !== '') parts.push({ written: false, text })
    if (message === undefined) continue
    const { role, content: whole = '' } = messages[Number(message)] ?? {}
    let content = whole
    if (before === '') content = content.trimStart()
    if (after === '') content = content.trimEnd()
    parts.push({ written: true, text: content, ...(role === 'assistant' && { isReply: true }) })
  }
  return parts
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'it fails'
  // The watchdog's error belongs to its own context, so it is no instance of this one's `Error`.
  if ('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'it takes too long'
  const message = 'message' in error ? String(error.message) : 'it fails'
  return message.replaceAll(/\s+/g, ' ').slice(0, 200)
}
