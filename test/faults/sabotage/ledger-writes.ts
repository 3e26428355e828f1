import type { Sabotage } from './sabotage.ts'

const groupCommit = 'src/storage/sqlite/group-commit.ts'
const sqliteFile = 'src/storage/sqlite/sqlite-file.ts'

/** Sabotages of the ledger, its database and the clock that decides when entries expire. */
export const ledgerSabotages: readonly Sabotage[] = [
  {
    id: 'F02',
    breaks: 'A write is acknowledged when it is sent to the writing thread, before its commit.',
    file: 'src/storage/threads/writer.ts',
    find: '    this.#send(this.#inFlight.map((write) => write.unit))',
    replace:
      '    this.#send(this.#inFlight.map((write) => write.unit))\n    for (const { resolve } of this.#inFlight) resolve(1)',
    test: {
      file: 'test/faults/ledger-kill.long.test.ts',
      title: 'every acknowledged entry is on disk, once and equal',
    },
  },
  {
    id: 'F02',
    breaks: 'A start leaves the entries of a killed process open.',
    file: 'src/usage/ledger.ts',
    find: 'if (orphans.length === 0) return 0',
    replace: 'if (orphans.length >= 0) return 0',
    test: {
      file: 'test/faults/ledger-kill.long.test.ts',
      title: 'every acknowledged entry is on disk, once and equal',
    },
  },
  {
    id: 'F06',
    breaks: 'Commits are not flushed: `synchronous = NORMAL`, the default of the driver.',
    file: sqliteFile,
    find: "db.pragma('synchronous = FULL')",
    replace: "db.pragma('synchronous = NORMAL')",
    test: {
      file: 'test/faults/power-loss/power-loss.long.test.ts',
      title: 'every acknowledged reply is on disk after a power loss at any moment',
    },
  },
  {
    id: 'F06',
    breaks: 'A reply is sent while its entry is still being written.',
    file: 'src/completions/completion-settlement.ts',
    find: '    this.#report(ending, nowMs)\n    await settled\n',
    replace: '    this.#report(ending, nowMs)\n',
    test: {
      file: 'test/faults/power-loss/power-loss.long.test.ts',
      title: 'every acknowledged reply is on disk after a power loss at any moment',
    },
  },
  {
    id: 'F07',
    breaks: 'A commit that the disk fails to flush is acknowledged.',
    file: groupCommit,
    find: '    } catch (error) {\n      const fault = this.#rollBack(error)\n      if (!isFull(fault)',
    replace:
      "    } catch (error) {\n      const fault = toFault(error)\n      if (this.#db.inTransaction) this.#run('ROLLBACK')\n      if (isFatal(fault)) return units.map(() => 1)\n      if (!isFull(fault)",
    test: {
      file: 'test/faults/ledger-kill.long.test.ts',
      title: 'when the disk fails to flush, acknowledgements end and earlier ones stay true',
    },
  },
  {
    id: 'F07',
    breaks: 'Writes go on after one that the disk may have lost.',
    file: groupCommit,
    find: 'if (isFatal(fault)) this.#failed = fault',
    replace: '',
    test: {
      file: 'src/storage/sqlite/group-commit.test.ts',
      title: 'after damage that may have lost a commit, no write is acknowledged',
    },
  },
  {
    id: 'F08',
    breaks: 'A full disk leaves no room for settlements: the ballast file is kept.',
    file: groupCommit,
    find: '      this.#ballast.giveUp()\n',
    replace: '',
    test: {
      file: 'test/faults/ledger-disk.test.ts',
      title: 'on a full disk new requests are refused, running ones are settled',
    },
  },
  {
    id: 'F08',
    breaks: 'The service does not notice that the disk has room again.',
    file: groupCommit,
    find: 'if (this.#ballast?.take() === true) this.#fullSince = undefined',
    replace: 'this.#ballast?.take()',
    test: {
      file: 'test/faults/ledger-disk.test.ts',
      title: 'on a full disk new requests are refused, running ones are settled',
    },
  },
  {
    id: 'F22',
    breaks: 'A request runs although another one holds its idempotency key.',
    file: 'src/usage/ledger.ts',
    find: 'if (changed > 0 || claim === undefined) return\n',
    replace: 'if (changed >= 0 || claim === undefined) return\n',
    test: {
      file: 'test/storage/idempotency.test.ts',
      title: 'when two processes reserve the same idempotency key, one of them succeeds',
    },
  },
  {
    id: 'F22',
    breaks: 'A start does not release the idempotency keys of a killed process.',
    file: 'src/usage/replicas/close-replica.ts',
    find: '    releaseOrphanKeys({ requestIds }),\n',
    replace: '',
    test: {
      file: 'test/faults/front-kill.test.ts',
      title:
        'a request that kill -9 of the service interrupted runs again under its Idempotency-Key',
    },
  },
  {
    id: 'F23',
    breaks: 'Kept replies and receipts expire by the wall clock alone.',
    file: 'src/usage/upkeep/expiry-clock.ts',
    find: 'return Math.floor(Math.min(wallMs, this.#ms))',
    replace: 'return Math.floor(wallMs)',
    test: {
      file: 'test/faults/clock-jump.test.ts',
      title: 'a start with the clock 40 days ahead deletes no receipts and forgets no replies',
    },
  },
  {
    id: 'F27',
    breaks: 'A settlement that fails while another process locks the file is not repeated.',
    file: 'src/usage/upkeep/retried-writes.ts',
    find: 'this.#bytes += bytes\n    this.#schedule()',
    replace: 'this.#bytes += bytes',
    test: {
      file: 'test/faults/ledger-lock.test.ts',
      title: 'replies that end while another process locks the ledger are settled once it is free',
    },
  },
  {
    id: 'F27',
    breaks: 'The log does not say that a reader makes the journal grow.',
    file: 'src/usage/upkeep/ledger-budget.ts',
    find: 'const isAlarmed = this.#journalBytes > this.#journalAlarm',
    replace: 'const isAlarmed = this.#journalBytes > this.#journalAlarm * Infinity',
    test: {
      file: 'test/storage/ledger-budget.test.ts',
      title: 'a reader that does not end makes the journal grow, which the log says; writes go on',
    },
  },
  {
    id: 'F28',
    breaks: 'A start does not look for damaged pages.',
    file: sqliteFile,
    find: 'if (serve) refuseDamaged(db, path)',
    replace: 'if (serve && path === "") refuseDamaged(db, path)',
    test: {
      file: 'test/storage/database.test.ts',
      title: 'the service finds a damaged page when it starts',
    },
  },
  {
    id: 'F28',
    breaks: 'A start creates a new database although the journal of the old one is there.',
    file: sqliteFile,
    find: 'if (wal !== undefined && wal.size > 0 && !exists(path))',
    replace: 'if (wal !== undefined && wal.size < 0 && !exists(path))',
    test: {
      file: 'test/storage/database.test.ts',
      title: 'a missing database is not replaced while its journal is there',
    },
  },
  {
    id: 'F47',
    breaks: 'A reply is sent without waiting for its settlement.',
    file: 'src/completions/completion-settlement.ts',
    find: '    this.#report(ending, nowMs)\n    await settled\n',
    replace: '    this.#report(ending, nowMs)\n',
    test: {
      file: 'test/simulator/simulator.test.ts',
      title: 'whatever goes wrong, each request ends once and the ledger is right',
    },
  },
]
