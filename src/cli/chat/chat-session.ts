import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { StartError } from '../../errors.ts'
import { version } from '../../version.ts'
import type { ChatClient } from './chat-client.ts'
import { withoutControls } from './markdown.ts'
import { type Message, MessageReader } from './message-reader.ts'
import { printReply, TerminalView } from './reply-printer.ts'
import { type ChatState, runSlashCommand, slashWords } from './slash-commands.ts'

const prompt = '› '
const continuedPrompt = '… '

/** Chats in a terminal until the user ends it. */
export class ChatSession {
  readonly #client: ChatClient
  readonly #state: ChatState
  readonly #isStyled: boolean
  readonly #reader = new MessageReader()
  readonly #echo = new PausableOutput()
  readonly #lines: Interface
  readonly #ended = Promise.withResolvers<void>()
  #reply: AbortController | undefined
  #isOver = false

  constructor(client: ChatClient, state: ChatState, { isStyled }: { isStyled: boolean }) {
    this.#client = client
    this.#state = state
    this.#isStyled = isStyled
    this.#lines = createInterface({
      input: process.stdin,
      output: this.#echo,
      terminal: true,
      completer: (line: string) => [slashWords.filter((word) => word.startsWith(line)), line],
    })
  }

  /** Resolves when the user has ended the chat. */
  async run(model: string): Promise<void> {
    this.#say(`Pipit ${version} · ${model} · /help for commands, Ctrl-D to end`)
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#lines.on('close', () => this.#end())
    this.#lines.on('line', (line) => this.#reader.push(line))
    this.#prompt()
    const messages = this.#reader.messages(this.#ended.promise, () => this.#prompt())
    for await (const message of messages) {
      await this.#handle(message)
      if (this.#isOver) break
      this.#prompt()
    }
    this.#lines.close()
  }

  async #handle({ text, isCommand }: Message): Promise<void> {
    try {
      if (!isCommand) {
        this.#state.conversation.ask(text)
        return await this.#fetchReply()
      }
      const outcome = runSlashCommand(text, this.#state)
      switch (outcome.type) {
        case 'said':
          return this.#say(outcome.text)
        case 'reply':
          return await this.#fetchReply()
        case 'end':
          this.#isOver = true
          return
      }
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      this.#say(error.message, '31')
    }
  }

  async #fetchReply(): Promise<void> {
    const { conversation, parameters } = this.#state
    const reply = new AbortController()
    this.#reply = reply
    this.#echo.pause()
    const startMs = performance.now()
    try {
      const view = new TerminalView((text) => void process.stdout.write(text), this.#isStyled)
      const request = { messages: conversation.messages, parameters }
      const { text, tokens, finishReason, stopped } = await printReply(
        this.#client,
        request,
        view,
        reply.signal,
      )
      if (text !== '') conversation.answer(text)
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      if (stopped) return this.#say('Stopped. /retry generates the reply again.')
      const cut = finishReason === 'length' ? ' · cut at max_tokens, see /set' : ''
      if (tokens !== undefined) this.#say(`${tokens.completion} tokens · ${seconds} s${cut}`)
      else if (cut !== '') this.#say(cut.slice(3))
    } finally {
      this.#reply = undefined
      this.#echo.resume()
    }
  }

  #interrupt(): void {
    if (this.#reply !== undefined) return this.#reply.abort()
    const isEmpty = this.#lines.line === '' && !this.#reader.isOpen
    this.#reader.clear()
    process.stdout.write('\n')
    if (isEmpty) this.#say('Ctrl-D ends the chat.')
    // Clears the typed text; readline has no method for it.
    this.#lines.write(null, { ctrl: true, name: 'e' })
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.#prompt()
  }

  #end(): void {
    if (!this.#isOver) process.stdout.write('\n')
    this.#isOver = true
    this.#reply?.abort()
    this.#ended.resolve()
  }

  #prompt(): void {
    if (this.#isOver) return
    this.#lines.setPrompt(this.#reader.isOpen ? continuedPrompt : prompt)
    this.#lines.prompt(true)
  }

  #say(text: string, style = '2'): void {
    const shown = withoutControls(text)
    process.stdout.write(this.#isStyled ? `\u001B[${style}m${shown}\u001B[0m\n` : `${shown}\n`)
  }
}

/** The output of readline. It is paused while a reply is printed; keys typed meanwhile appear at the next prompt. */
class PausableOutput extends Writable {
  #isPaused = false

  get columns(): number {
    return process.stdout.columns
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    if (!this.#isPaused) process.stdout.write(bytes)
    done()
  }
}
