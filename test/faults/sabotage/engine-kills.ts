import type { Sabotage } from './sabotage.ts'

const poison = 'test/faults/engine/poison.test.ts'
const engineCrash = 'test/faults/engine-crash.test.ts'

/** Sabotages of the handling of an engine process that is killed or hangs. */
export const engineKillSabotages: readonly Sabotage[] = [
  {
    id: 'F01',
    breaks: 'A running reply fails when the engine process is killed.',
    file: 'src/engine/embedded/embedded-engine.ts',
    find: 'return !isResumed && (this.#repeatsReplies',
    replace: 'return false && !isResumed && (this.#repeatsReplies',
    test: {
      file: engineCrash,
      title: 'the next process continues running generations and answers the waiting ones',
    },
  },
  {
    id: 'F01',
    breaks: 'The next engine process sends the known part of a reply again.',
    file: 'src/engine/embedded/reply-record.ts',
    find: '    this.#digest = undefined\n    this.#place = startOfReply\n',
    replace: '    this.#digest = undefined\n',
    test: {
      file: engineCrash,
      title: 'the next process continues running generations and answers the waiting ones',
    },
  },
  {
    id: 'F01',
    breaks: 'A reply of a GPU is repeated as if it would be the same.',
    file: 'src/engine/embedded/embedded-engine.ts',
    find: 'this.#repeatsReplies = !isOnGpu',
    replace: 'this.#repeatsReplies = !isOnGpu || true',
    test: {
      file: 'test/faults/engine/gpu.test.ts',
      title: 'a reply that has begun when the engine crashes',
    },
  },
  {
    id: 'G5',
    breaks: 'The queue in front of the engine has no end.',
    file: 'src/completions/admission/admission.ts',
    find: '      service: slots + service,\n',
    replace: '      service: Infinity,\n',
    test: {
      file: 'test/faults/machine/full-queue.test.ts',
      title: 'when the engine dies with a full queue',
    },
  },
  {
    id: 'F03',
    breaks: 'A request that has crashed the engine twice runs again.',
    file: 'src/engine/embedded/quarantine.ts',
    find: 'const strikesMax = 2',
    replace: 'const strikesMax = 3',
    test: {
      file: poison,
      title: 'a request that crashes the engine runs twice, is then refused without a run',
    },
  },
  {
    id: 'F03',
    breaks: 'New requests reach an engine that crashes again and again.',
    file: 'src/engine/embedded/embedded-engine.ts',
    find: '    this.#breaker.requireClosed()\n',
    replace: '',
    test: { file: poison, title: 'restarts after crashes in a row wait' },
  },
  {
    id: 'F03',
    breaks: 'Restarts the engine at once, however often it has crashed.',
    file: 'src/engine/embedded/supervisor.ts',
    find: 'return fullMs * (1 - Math.random() / 2)',
    replace: 'return 0 * fullMs',
    test: { file: poison, title: 'restarts after crashes in a row wait' },
  },
  {
    id: 'F15',
    breaks: 'The watchdog takes a stopped engine process for a working one.',
    file: 'src/engine/embedded/watched-child.ts',
    find: 'if (nowMs - this.#progressedMs <= limitMs) return',
    replace: 'if (nowMs - this.#progressedMs <= 1000 * limitMs) return',
    test: {
      file: engineCrash,
      title: 'a hang while it works is detected, and the process that replaces it continues',
    },
  },
]
