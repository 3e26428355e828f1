import type { ChatMessage } from '../../../engine.ts'

/** Thoughts in earlier messages of the assistant, under the names by which a template reads them. */
export class ThoughtMembers {
  readonly #names: readonly string[]
  /** The template refuses a thought beside a text in a message with calls, as that of gpt-oss does. */
  readonly #replacesText: boolean

  constructor(source: string) {
    const others = ['reasoning', 'thinking'].filter((name) =>
      new RegExp(`\\w\\.${name}\\b|\\['${name}'\\]|\\["${name}"\\]`).test(source),
    )
    this.#names = ['reasoning_content', ...others]
    this.#replacesText = source.includes('message.thinking') && source.includes('<|channel|>')
  }

  /** Returns the members to add to the template's form of a message. */
  of({ reasoning }: ChatMessage): Readonly<Record<string, string>> {
    if (reasoning === undefined) return {}
    return Object.fromEntries(this.#names.map((name) => [name, reasoning]))
  }

  /** Returns the message as the template takes it. */
  fit(message: ChatMessage): ChatMessage {
    const { reasoning, toolCalls } = message
    const isRefused = this.#replacesText && reasoning !== undefined && toolCalls !== undefined
    return isRefused ? { ...message, content: '' } : message
  }
}
