import type { Sabotage } from './sabotage.ts'

const file = 'test/faults/overload/simulated-overload.test.ts'

export const overloadSabotages: readonly Sabotage[] = [
  {
    id: 'F04',
    breaks: 'The queue stays 30 seconds long in a standing overload, so that clients give up.',
    file: 'src/completions/admission/wait-limit.ts',
    find: 'if (!this.isStanding(nowMs)) return this.#longMs',
    replace: 'return this.#longMs',
    test: { file, title: 'at ten times the load for ten minutes' },
  },
  {
    id: 'F20',
    breaks: 'Requests are queued however long they will wait.',
    file: 'src/completions/admission/slot-queue.ts',
    find: 'if (!this.#rates.areMeasured) return',
    replace: 'return',
    test: { file, title: 'clients that ignore Retry-After' },
  },
  {
    id: 'F21',
    breaks: 'All refused requests are told to come back as soon as there is room for one.',
    file: 'src/completions/admission/slot-queue.ts',
    find: 'Math.max(key.lastReturnMs + gapMs - nowMs, roomMs, gapMs)',
    replace: 'Math.max(roomMs, gapMs)',
    test: { file, title: 'a thousand refused clients' },
  },
  {
    id: 'F04',
    breaks: 'A request that has ended or was refused keeps its place.',
    file: 'src/completions/admission/admission.ts',
    find: 'this.#places.giveBack(holder, 1)',
    replace: 'void holder',
    test: {
      file: 'test/faults/overload/overload.test.ts',
      title: 'each request ends in one whole reply',
    },
  },
]
