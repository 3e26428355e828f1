import type { ChatMessage } from '../../../engine.ts'

/** Thoughts in earlier messages of the assistant, under the names by which a template reads them. */
export class ThoughtMembers {
  readonly #names: readonly string[]
  /** True if the template refuses a message with calls that has both a thought and a text, as gpt-oss's does. */
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

  /** Removes the text of a message that the template would otherwise refuse. */
  fit(message: ChatMessage): ChatMessage {
    const { reasoning, toolCalls } = message
    const isRefused = this.#replacesText && reasoning !== undefined && toolCalls !== undefined
    return isRefused ? { ...message, content: '' } : message
  }
}
