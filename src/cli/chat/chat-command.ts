import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { StartError } from '../../errors.ts'
import { requestBytesMax } from '../../limits.ts'
import { readApiKey } from '../client-variables.ts'
import { commandLine } from '../../paths.ts'
import { findService } from '../service-address.ts'
import { listenForStop } from '../stop-signals.ts'
import { fromUserFolder } from '../user-folder.ts'
import { ChatClient } from './chat-client.ts'
import { ChatSession } from './chat-session.ts'
import { Conversation } from './conversation.ts'
import { withoutControls } from './markdown.ts'
import { parseParameter } from './parameters.ts'
import { PlainView, printReply, type ReplyView, TerminalView } from './reply-printer.ts'
import type { ChatState } from './slash-commands.ts'

type Options = {
  url?: string
  key?: string
  model?: string
  system?: string
  set?: string[]
  json?: true
  schema?: string
}

/** The `chat` command: a conversation in a terminal, or one reply for a pipe. */
export function chatCommand(): Command {
  return new Command('chat')
    .description('chat with a service, or print one reply')
    .argument('[message...]', 'message; text from a pipe is added below it')
    .option('--url <url>', 'base URL (default: PIPIT_BASE_URL, or the running service)')
    .option('--key <key>', 'API key (default: PIPIT_API_KEY)')
    .option('--model <model>', 'model (default: the first one of the service)')
    .option('--system <text>', 'system prompt')
    .option('--set <name=value>', 'parameter, such as temperature=0.2; repeatable', collect)
    .option('--json', 'get a JSON object')
    .option('--schema <file>', 'get JSON that conforms to the schema in this file')
    .addHelpText(
      'after',
      `
Examples:
  ${commandLine} chat
  ${commandLine} chat "Write a haiku about rain."
  cat notes.txt | ${commandLine} chat "summarise" > summary.txt

Exit code: 0 for a whole reply, 1 if not, 130 after Ctrl-C, 143 after SIGTERM.`,
    )
    .action(chat)
}

async function chat(words: string[], options: Options): Promise<void> {
  const format = responseFormat(options)
  const state: ChatState = {
    conversation: new Conversation(options.system),
    parameters: Object.fromEntries(
      (options.set ?? []).map(parseParameter).map(({ name, value }) => [name, value]),
    ),
  }
  const client = new ChatClient(
    findService(options.url, process.env),
    readApiKey(options.key, process.env),
  )
  const isInteractive =
    words.length === 0 && format === undefined && process.stdin.isTTY && process.stdout.isTTY
  const message = isInteractive ? undefined : await readMessage(words)
  // Also checks the address and the key before the user types a message.
  const model = options.model ?? (await firstModel(client))
  state.parameters['model'] = model
  if (message === undefined)
    return await new ChatSession(client, state, { isStyled: isStyled() }).run(model)
  if (format !== undefined) state.parameters['response_format'] = format
  state.conversation.ask(message)
  await replyOnce(client, state, format !== undefined)
}

async function replyOnce(client: ChatClient, state: ChatState, isJson: boolean): Promise<void> {
  const stopping = listenForStop()
  // A reader such as `head` closes the pipe once it has enough. Other faults are reported by `watchOutput`.
  let isUnread = false
  process.stdout.on('error', () => {
    isUnread = true
    stopping.stop()
  })
  const write = (text: string) => void process.stdout.write(text)
  const view = createView(write, isJson)
  const { conversation, parameters } = state
  const request = { messages: conversation.messages, parameters }
  const reply = await printReply(client, request, view, stopping.signal)
  if (reply.stopped) {
    if (!isUnread) process.exitCode ??= stopping.exitCode
    return
  }
  if (reply.finishReason !== 'length') return
  process.stderr.write(
    'pipit: The reply was cut at max_tokens. Raise it with --set max_tokens=NUMBER.\n',
  )
  process.exitCode = 1
}

function createView(write: (text: string) => void, isJson: boolean): ReplyView {
  if (!process.stdout.isTTY) return new PlainView(write)
  if (isJson) return new PlainView((text) => write(withoutControls(text)))
  return new TerminalView(write, isStyled())
}

/** @throws StartError */
async function firstModel(client: ChatClient): Promise<string> {
  const [model] = await client.models(new AbortController().signal)
  if (model === undefined)
    throw new StartError('The service names no model. Give one with --model.')
  return model
}

/** Joins the words of the command line and the text from a pipe. @throws StartError */
async function readMessage(words: readonly string[]): Promise<string> {
  const piped = process.stdin.isTTY ? '' : await readPipe()
  const message = [words.join(' '), piped.trimEnd()].filter((part) => part.trim() !== '')
  if (message.length === 0)
    throw new StartError('There is no message. Give one as an argument or through a pipe.')
  return message.join('\n\n')
}

async function readPipe(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const buffer = Buffer.from(chunk as Uint8Array)
    bytes += buffer.length
    if (bytes > requestBytesMax)
      throw new StartError(
        `The text from the pipe has more than ${requestBytesMax} bytes, which do not fit into a request. Shorten it.`,
      )
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** @throws StartError */
function responseFormat({ json, schema }: Options): object | undefined {
  if (schema === undefined) return json && { type: 'json_object' }
  const path = fromUserFolder(schema)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new StartError(`${path} cannot be read (${code}). Give --schema a JSON Schema file.`)
  }
  try {
    const parsed: unknown = JSON.parse(text)
    return { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema: parsed } }
  } catch {
    throw new StartError(`${path} is not JSON. Give --schema a JSON Schema file.`)
  }
}

function isStyled(): boolean {
  return (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb'
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
