import type { Sabotage } from './sabotage.ts'

/**
 * Sabotages of the behaviour on a machine that is short of disk, processor time, memory or descriptors, or has a stuck
 * log.
 */
export const machineSabotages: readonly Sabotage[] = [
  {
    id: 'F44',
    breaks: 'Waits at the stop until the log has been read.',
    file: 'src/telemetry/log-writer.ts',
    find: 'while (rest.length > 0 && performance.now() < endMs)',
    replace: 'while (rest.length > 0 && endMs > 0)',
    test: { file: 'test/faults/machine/log-reader.test.ts', title: 'a log pipe that is not read' },
  },
  {
    id: 'F44',
    breaks: 'Loses log lines without counting them.',
    file: 'src/telemetry/log-writer.ts',
    find: 'this.#dropped += 1',
    replace: '',
    test: { file: 'test/faults/machine/log-reader.test.ts', title: 'a full disk for the log' },
  },
  {
    id: 'F24',
    breaks: 'Ends the service when an engine process cannot be started.',
    file: 'src/engine/embedded/supervisor.ts',
    find: 'this.#handleExit({ pid: 0, fault: undefined, cause, livedMs: 0 })',
    replace: 'throw new Error(cause)',
    test: {
      file: 'test/faults/machine/descriptors.test.ts',
      title: 'without a free file descriptor',
    },
  },
  {
    id: 'F16',
    breaks: 'The log does not tell a kill for lack of memory from any other.',
    file: 'src/engine/embedded/watched-child.ts',
    find: "signal === 'SIGKILL' && this.#memoryKills.hasNew",
    replace: 'false',
    test: {
      file: 'test/faults/machine/engine-out-of-memory.test.ts',
      title: 'an engine process that is out of memory is restarted with backoff',
    },
  },
  {
    id: 'F16',
    breaks: 'Restarts the engine at once, however often it was killed.',
    file: 'src/engine/embedded/supervisor.ts',
    find: 'return fullMs * (1 - Math.random() / 2)',
    replace: 'return 0 * fullMs',
    test: {
      file: 'test/faults/machine/engine-out-of-memory.test.ts',
      title: 'an engine process that is out of memory is restarted with backoff',
    },
  },
  {
    id: 'F17',
    breaks: 'A port in use is told in the words of the operating system.',
    file: 'src/http/listen.ts',
    find: "return 'it is in use; stop the other program or set PIPIT_PORT'",
    replace: 'return code',
    test: {
      file: 'test/faults/start.test.ts',
      title: 'a port in use is refused in one sentence',
    },
  },
  {
    id: 'F09',
    breaks: 'Acknowledges a reply before its entry is on disk.',
    file: 'src/completions/completion-settlement.ts',
    find: '    await settled\n',
    replace: '',
    test: { file: 'test/faults/machine/slow-disk.test.ts', title: 'on a disk that takes 500 ms' },
  },
  {
    id: 'F14',
    breaks: 'Cuts running replies at once when the service stops.',
    file: 'src/http/connections/stop-serving.ts',
    find: 'await admission.close(graceMs)',
    replace: 'await admission.close(graceMs * 0)',
    test: { file: 'test/faults/machine/stopping.test.ts', title: 'SIGTERM under 16 streams' },
  },
  {
    id: 'F14',
    breaks: 'Leaves replies running that outlast the grace period.',
    file: 'src/http/connections/stop-serving.ts',
    find: '  stopping.abort()',
    replace: '',
    test: {
      file: 'test/faults/machine/stopping.test.ts',
      title: 'streams that outlast the grace period',
    },
  },
  {
    id: 'F14',
    breaks: 'Leaves the entries of an earlier run open.',
    file: 'src/main.ts',
    find: 'await ledger.closeOrphans()',
    replace: '0',
    test: { file: 'test/faults/machine/stopping.test.ts', title: 'a second SIGTERM' },
  },
  {
    id: 'F19',
    breaks: 'Measures no delay of the event loop.',
    file: 'src/telemetry/metrics.ts',
    find: '  collectDefaultMetrics({ register: registry })\n',
    replace: '',
    test: { file: 'test/faults/machine/event-loop-stall.test.ts', title: 'after a stall of 2 s' },
  },
  {
    id: 'F19',
    breaks: 'Ignores the deadline of the caller.',
    file: 'src/http/request/request-timeout.ts',
    find: 'return timeoutMs === Infinity ? undefined : timeoutMs',
    replace: 'return undefined',
    test: {
      file: 'test/faults/machine/event-loop-stall.test.ts',
      title: 'a deadline that passes in a stall',
    },
  },
  {
    id: 'F26',
    breaks: 'Ignores the deadline of the caller.',
    file: 'src/http/request/request-timeout.ts',
    find: 'return timeoutMs === Infinity ? undefined : timeoutMs',
    replace: 'return undefined',
    test: {
      file: 'test/faults/machine/processor-time.long.test.ts',
      title: 'with a tenth of a processor',
    },
  },
  {
    id: 'F05',
    breaks: 'Goes on with requests whose client has hung up.',
    file: 'src/http/request/hang-up.ts',
    find: '  onceClosed(response, onClose)\n',
    replace: '',
    test: { file: 'test/faults/callers/disconnects.test.ts', title: '500 clients that hang up' },
  },
  {
    id: 'F25',
    breaks: 'Takes in requests whatever the size of their bodies.',
    file: 'src/completions/admission/shared-budget.ts',
    find: '    const { maximums } = this\n',
    replace: "    const maximums = { service: Infinity, account: Infinity, 'API key': Infinity }\n",
    test: { file: 'test/faults/machine/small-heap.long.test.ts', title: 'with a heap of 128 MiB' },
  },
]
