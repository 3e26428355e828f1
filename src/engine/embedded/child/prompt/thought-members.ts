import type { ChatMessage } from '../../../engine.ts'
import { splitThought } from './thought-marks.ts'

/** Thoughts in earlier messages of the assistant, under the names by which a template reads them. */
export class ThoughtMembers {
  readonly #names: readonly string[]
  /** True if the template refuses a message with calls that has both a thought and a text, as gpt-oss's does. */
  readonly #replacesText: boolean
  /** True if the template may take a thought out of a content and write it with marks of its own. */
  readonly #splitsContents: boolean

  constructor(source: string) {
    // Cohere's templates read `tool_plan` beside calls, and Apriel's `thought`.
    const others = ['reasoning', 'thinking', 'tool_plan', 'thought'].filter((name) =>
      new RegExp(`\\w\\.${name}\\b|\\['${name}'\\]|\\["${name}"\\]`).test(source),
    )
    this.#names = ['reasoning_content', ...others]
    this.#splitsContents = source.includes('reasoning_content') && source.includes('.split(')
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

  /**
   * Moves thoughts from the contents of replies into members of their own if the template writes the same then. It need
   * not find the marks in a caller's text.
   */
  apart<Message extends ChatMessage>(
    messages: readonly Message[],
    isSame: (moved: readonly Message[]) => boolean,
  ): readonly Message[] {
    if (!this.#splitsContents) return messages
    const moved = messages.map(withThoughtApart)
    const isAnyMoved = moved.some((message, index) => message !== messages[index])
    return isAnyMoved && isSame(moved) ? moved : messages
  }
}

function withThoughtApart<Message extends ChatMessage>(message: Message): Message {
  if (message.role !== 'assistant' || message.reasoning !== undefined) return message
  const split = splitThought(message.content)
  return split === undefined
    ? message
    : { ...message, reasoning: split.thought, content: split.rest }
}
