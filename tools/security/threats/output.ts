import type { ThreatGroup } from '../threat.ts'

export const outputThreats: ThreatGroup = {
  title: 'Output, logs and side channels',
  threats: [
    {
      id: 'T31',
      threat: 'A reply of the model runs a script in the panel.',
      precedents: ['CVE-2026-44568', 'OWASP LLM05'],
      mitigation:
        'Markdown becomes elements of an allow-list, without HTML, images or links other than http and https. The pages forbid inline code and other origins, and demand trusted types.',
      open: '',
    },
    {
      id: 'T32',
      threat: 'Prompts, replies, keys or passwords reach a log, an error or a file.',
      precedents: [],
      mitigation:
        'The fields of a log line are an allow-list. Errors never repeat the body or the key. Keys, links and session tokens are stored as hashes, passwords as scrypt.',
      open: '',
    },
    {
      id: 'T33',
      threat: 'Metrics reveal callers, or grow with the number of keys.',
      precedents: [],
      mitigation:
        '`/metrics` has a listener of its own on 127.0.0.1 and answers only to names of this machine and of `PIPIT_ALLOWED_HOSTS`. Labels are routes and statuses, never keys or texts.',
      open: '',
    },
    {
      id: 'T34',
      threat: "The time to the first token shows another account's prompts.",
      precedents: ['vLLM RFC 16016'],
      mitigation: 'A KV cache is reused only within one account.',
      open: 'No test measures the times of two accounts.',
    },
    {
      id: 'T35',
      threat: "A reply depends on, or contains, another request's conversation.",
      precedents: [],
      mitigation:
        'A reply is the same, bit for bit, with and without neighbours in its batch. Decision 0011 names the models for which this does not hold.',
      open: '',
    },
    {
      id: 'T36',
      threat: 'The sizes of encrypted packets show the lengths of tokens.',
      precedents: ['Whisper Leak'],
      mitigation: '',
      open: 'Streams have no padding; `include_obfuscation: true` is refused. Ask for whole replies where it matters.',
    },
    {
      id: 'T37',
      threat: 'An `Idempotency-Key` returns the reply of another account, or of another request.',
      precedents: ['IETF draft on Idempotency-Key, Security Considerations'],
      mitigation:
        'A key counts within its account and for one body only. Its length and characters are checked.',
      open: '',
    },
  ],
}
