import type { Sabotage } from './sabotage.ts'

const test = 'test/faults/engine/messages.test.ts'

/** Sabotages of the handling of messages that the engine process should never send. */
export const messageSabotages: readonly Sabotage[] = [
  {
    id: 'F18',
    breaks: 'Waits for the rest of a message of any length.',
    file: 'src/engine/embedded/channel/message-channel.ts',
    find: 'length === 0 || length > this.#messageBytesMax',
    replace: 'length === 0',
    test: { file: test, title: 'a length of 4 GB' },
  },
  {
    id: 'F18',
    breaks: 'Ignores messages that cannot be read.',
    file: 'src/engine/embedded/channel/message-channel.ts',
    find: "      this.#fail('it sent an unreadable message')\n",
    replace: '',
    test: { file: test, title: 'no value' },
  },
  {
    id: 'F18',
    breaks: 'Ignores messages that no working engine process sends.',
    file: 'src/engine/embedded/watched-child.ts',
    find: "      this.kill('it sent an invalid message')\n",
    replace: '',
    test: { file: test, title: 'no event' },
  },
]
