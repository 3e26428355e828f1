import type { LedgerEntry } from '../../src/usage/ledger.ts'

/** Returns the entry of a request with 11 prompt tokens. */
export function ledgerEntry(requestId: string, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    requestId,
    accountId: 'acct_1',
    keyId: 'key_1',
    model: 'svc-o1-mini',
    route: '/v1/chat/completions',
    stream: false,
    promptTokens: 11,
    maxTokens: 256,
    createdMs: 1,
    seed: 1,
    fingerprint: 'fp_1',
    parameters: {},
    ignored: [],
    ...changes,
  }
}
