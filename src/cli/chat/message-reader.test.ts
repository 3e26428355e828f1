import { expect, test } from 'vitest'
import { MessageReader } from './message-reader.ts'

/** Reads messages from batches of lines. Each batch is pasted once the one before it has been read. */
async function read(...batches: string[][]) {
  const reader = new MessageReader()
  const ended = Promise.withResolvers<void>()
  const paste = () => {
    const batch = batches.shift()
    if (batch === undefined) ended.resolve()
    for (const line of batch ?? []) reader.push(line)
  }
  paste()
  const messages = []
  for await (const message of reader.messages(ended.promise, paste)) {
    messages.push(message)
    paste()
  }
  return messages
}

const text = (...lines: string[]) => ({ text: lines.join('\n'), isCommand: false })
const command = (line: string) => ({ text: line, isCommand: true })

test('one line that begins with a word such as /help is a command, and so is a known one before other lines', async () => {
  expect(await read(['/set temperature 0.2'], ['/nonsense'])).toEqual([
    command('/set temperature 0.2'),
    command('/nonsense'),
  ])
  expect(await read(['/clear', 'Hello'])).toEqual([command('/clear'), text('Hello')])
})

test('pasted lines that begin with a slash are one message', async () => {
  const code = ['// Adds one.', 'x += 1']
  expect(await read(code)).toEqual([text(...code)])
  expect(await read(['/etc/hosts has:', '::1 localhost'])).toEqual([
    text('/etc/hosts has:', '::1 localhost'),
  ])
  expect(await read(['/usr is a folder', 'What is in it?'])).toEqual([
    text('/usr is a folder', 'What is in it?'),
  ])
})

test('a block between """ marks is a message, also one that begins with a slash', async () => {
  expect(await read(['"""'], ['/help'], ['"""'])).toEqual([text('/help')])
  expect(await read(['"""/help'], ['me"""'])).toEqual([text('/help', 'me')])
})

test('only a backslash at the very end continues a message, and only that one is removed', async () => {
  const lines = ['#define A \\', '  b \\', '  c']
  expect(await read(lines)).toEqual([text(...lines)])
  expect(await read(['a \\', 'b \\'], ['c'])).toEqual([text('a \\', 'b ', 'c')])
})

test('""" inside a line, on both ends of a line or further down in pasted lines stays', async () => {
  const code = ['def f():', '    """Adds', '    one.', '    """', '    return 1']
  expect(await read(['"""Doc."""'], ['Is """ a mark?'], code)).toEqual([
    text('"""Doc."""'),
    text('Is """ a mark?'),
    text(...code),
  ])
})
