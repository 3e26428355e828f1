import { writeFileSync } from 'node:fs'
import { StartError } from '../../errors.ts'
import { chatParameters } from '../../chat-parameters.ts'
import type { ChatMessage } from './chat-client.ts'

/** The messages of one chat. The last one has the role `user` while it has no reply. */
export class Conversation {
  system: string | undefined
  #messages: ChatMessage[] = []

  constructor(system: string | undefined) {
    this.system = system
  }

  /** The messages to send. */
  get messages(): ChatMessage[] {
    const system: ChatMessage[] =
      this.system === undefined ? [] : [{ role: 'system', content: this.system }]
    return [...system, ...this.#messages]
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0
  }

  /**
   * Adds a question. Replaces the last question if it has no reply.
   * @throws StartError
   */
  ask(content: string): void {
    if (this.#messages.at(-1)?.role === 'user') this.#messages.pop()
    if (this.#messages.length + 3 > chatParameters.messages.maxItems)
      throw new StartError('The conversation is as long as it can be. Enter /clear to start anew.')
    this.#messages.push({ role: 'user', content })
  }

  answer(content: string): void {
    this.#messages.push({ role: 'assistant', content })
  }

  /**
   * Removes the last reply, so that its question can be sent again.
   * @throws StartError
   */
  retry(): void {
    if (this.isEmpty) throw new StartError('There is no message to send again yet.')
    if (this.#messages.at(-1)?.role === 'assistant') this.#messages.pop()
  }

  clear(): void {
    this.#messages = []
  }

  /**
   * Writes the conversation to a new file: JSON if its name ends with .json, otherwise Markdown.
   * @throws StartError
   */
  save(path: string): void {
    if (this.isEmpty) throw new StartError('There is nothing to save yet.')
    const text = path.endsWith('.json')
      ? `${JSON.stringify(this.messages, null, 2)}\n`
      : this.messages.map(({ role, content }) => `## ${role}\n\n${content}\n`).join('\n')
    try {
      writeFileSync(path, text, { flag: 'wx' })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error
      throw new StartError(
        code === 'EEXIST'
          ? `${path} exists already. Choose another name.`
          : `${path} cannot be written (${String(code)}). Choose another place.`,
      )
    }
  }
}
