import { StartError } from '../../errors.ts'
import { fromUserFolder } from '../user-folder.ts'
import type { Conversation } from './conversation.ts'
import { parameterNames, parseParameter } from './parameters.ts'

export type ChatState = {
  conversation: Conversation
  parameters: Record<string, unknown>
}

/** The result of a command: a text to show, a reply to request, or the end of the chat. */
type Outcome = { type: 'said'; text: string } | { type: 'reply' } | { type: 'end' }

type SlashCommand = {
  readonly argument: string
  readonly description: string
  readonly run: (rest: string, state: ChatState) => Outcome
}

const commands: Readonly<Record<string, SlashCommand>> = {
  '/system': {
    argument: 'TEXT',
    description: 'set the system prompt; "off" removes it, no text shows it',
    run: setSystem,
  },
  '/set': {
    argument: 'NAME VALUE',
    description: 'change a parameter, such as temperature 0.2; "default" removes it',
    run: setParameter,
  },
  '/retry': {
    argument: '',
    description: 'generate the last reply again',
    run: (_, { conversation }) => {
      conversation.retry()
      return { type: 'reply' }
    },
  },
  '/save': {
    argument: 'FILE',
    description: 'write the conversation to a new file, Markdown or .json',
    run: save,
  },
  '/clear': {
    argument: '',
    description: 'start a new conversation',
    run: (_, { conversation }) => {
      conversation.clear()
      return { type: 'said', text: 'A new conversation.' }
    },
  },
  '/help': { argument: '', description: 'show this list', run: () => said(helpText()) },
  '/exit': { argument: '', description: 'end', run: () => ({ type: 'end' }) },
}

export const slashWords = Object.keys(commands)

/** @throws StartError for an unknown command, or one that cannot be run with these arguments */
export function runSlashCommand(line: string, state: ChatState): Outcome {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*?)\s*$/s.exec(line) ?? []
  const command = commands[word]
  if (command === undefined)
    throw new StartError(`There is no command ${word}. Enter /help for the list.`)
  return command.run(rest, state)
}

function setSystem(text: string, { conversation }: ChatState): Outcome {
  if (text === '') return said(conversation.system ?? 'There is no system prompt.')
  conversation.system = text === 'off' ? undefined : text
  return said(text === 'off' ? 'The system prompt is removed.' : 'The system prompt is set.')
}

function setParameter(text: string, { parameters }: ChatState): Outcome {
  if (text === '') {
    const set = parameterNames.filter((name) => parameters[name] !== undefined)
    const lines = set.map((name) => `${name} ${JSON.stringify(parameters[name])}`)
    return said(lines.join('\n') || 'All parameters have their defaults.')
  }
  const { name, value } = parseParameter(text)
  if (value === undefined) delete parameters[name]
  else parameters[name] = value
  return said(value === undefined ? `${name} has its default.` : `${name} is ${value}.`)
}

function save(path: string, { conversation }: ChatState): Outcome {
  if (path === '') throw new StartError('Name a file, such as /save chat.md.')
  const place = fromUserFolder(path)
  conversation.save(place)
  return said(`Saved to ${place}.`)
}

function said(text: string): Outcome {
  return { type: 'said', text }
}

function helpText(): string {
  const rows = Object.entries(commands).map(
    ([word, { argument, description }]) => `  ${`${word} ${argument}`.padEnd(18)}${description}`,
  )
  const keys = [
    '  \\ at the end of a line, or """ before and after, for a message of several lines',
    '  Ctrl-C stops a reply, Ctrl-D ends',
  ]
  return [...rows, ...keys].join('\n')
}
