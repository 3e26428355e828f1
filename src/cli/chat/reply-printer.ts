import { StartError } from '../../errors.ts'
import type { ChatClient, ChatRequest } from './chat-client.ts'
import { MarkdownWriter, withoutControls } from './markdown.ts'

/** Shows a reply while it arrives. */
export interface ReplyView {
  text(text: string): void
  thought(text: string): void
  end(): void
}

type FinishedReply = {
  text: string
  finishReason: string | undefined
  /** Token counts, if the service reported them. */
  tokens: { prompt: number; completion: number } | undefined
  stopped: boolean
}

/**
 * Streams one reply into the view. If `signal` aborts, returns the part that has arrived.
 * @throws StartError
 */
export async function printReply(
  client: ChatClient,
  request: ChatRequest,
  view: ReplyView,
  signal: AbortSignal,
): Promise<FinishedReply> {
  const reply: FinishedReply = {
    text: '',
    finishReason: undefined,
    tokens: undefined,
    stopped: false,
  }
  try {
    for await (const event of client.reply(request, signal)) {
      switch (event.type) {
        case 'text':
          reply.text += event.text
          view.text(event.text)
          break
        case 'thought':
          view.thought(event.text)
          break
        case 'finish':
          reply.finishReason = event.reason
          break
        case 'usage':
          reply.tokens = { prompt: event.promptTokens, completion: event.completionTokens }
          break
      }
    }
  } catch (error) {
    if (error instanceof StartError || !signal.aborted) throw error
    reply.stopped = true
  } finally {
    view.end()
  }
  return reply
}

/** Writes only the text of a reply, for programs that read it. */
export class PlainView implements ReplyView {
  readonly #write: (text: string) => void
  #last = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  text(text: string): void {
    this.#last = text
    this.#write(text)
  }

  thought(): void {}

  end(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#write('\n')
  }
}

/** Writes Markdown with the styles of a terminal, and thoughts dimmed before it. */
export class TerminalView implements ReplyView {
  readonly #write: (text: string) => void
  readonly #isStyled: boolean
  readonly #markdown = new MarkdownWriter()
  #state: 'empty' | 'thought' | 'text' = 'empty'

  constructor(write: (text: string) => void, isStyled: boolean) {
    this.#write = write
    this.#isStyled = isStyled
  }

  text(text: string): void {
    if (this.#state === 'thought') this.#write(this.#isStyled ? '\u001B[0m\n\n' : '\n\n')
    this.#state = 'text'
    this.#write(this.#isStyled ? this.#markdown.write(text) : withoutControls(text))
  }

  thought(text: string): void {
    if (this.#state === 'empty' && this.#isStyled) this.#write('\u001B[2m')
    this.#state = 'thought'
    this.#write(withoutControls(text))
  }

  end(): void {
    if (this.#state === 'thought' && this.#isStyled) this.#write('\u001B[0m')
    if (this.#isStyled) this.#write(this.#markdown.end())
    if (this.#state !== 'empty') this.#write('\n')
  }
}
