import type { ThreatGroup } from '../threat.ts'

export const exposureThreats: ThreatGroup = {
  title: 'Exposure and authentication',
  threats: [
    {
      id: 'T1',
      threat: 'The service is open to the network without a key.',
      precedents: ['Ollama is open by default'],
      mitigation:
        'It listens on 127.0.0.1 unless `PIPIT_HOST` says otherwise, and refuses to start on an address that other machines can reach while no API key exists. There are no default credentials.',
      open: '',
    },
    {
      id: 'T2',
      threat: 'The engine can be reached past the key check.',
      precedents: ['vLLM', 'llama-server'],
      mitigation: 'The engine is a child process that talks over pipes and does not listen.',
      open: '',
    },
    {
      id: 'T3',
      threat: 'Another spelling of a path or host gets past the key check.',
      precedents: ['CVE-2026-48746', 'CVE-2026-48710', 'CVE-2026-29927'],
      mitigation:
        'The access rule is part of each operation: one without a rule does not compile. No rule depends on the text of a URL.',
      open: '',
    },
    {
      id: 'T4',
      threat: 'Another header is accepted as a credential and has other rights.',
      precedents: ['CVE-2026-45339'],
      mitigation:
        'One function reads credentials: one `Authorization: Bearer` header. `x-api-key`, cookies and query parameters are not accepted on `/v1`.',
      open: '',
    },
    {
      id: 'T5',
      threat: 'Differences in time or text show whether a key or a user exists.',
      precedents: ['CVE-2025-59425'],
      mitigation:
        'A key has 256 random bits. Keys are looked up by their SHA-256 and compared in constant time. Wrong, mistyped and unknown keys get the same response, and so do an unknown address and a wrong password.',
      open: 'No test measures the times.',
    },
    {
      id: 'T6',
      threat: 'SQL injection through a key, a header or a field.',
      precedents: ['CVE-2026-42208'],
      mitigation: 'Values are bound parameters of prepared statements, never text of a statement.',
      open: 'No lint rule forbids `sql.raw`; its two uses insert constants.',
    },
    {
      id: 'T7',
      threat: 'A body sets privileged fields such as a role or an account.',
      precedents: ['CVE-2025-61928', 'CVE-2026-47101', 'CVE-2026-47102'],
      mitigation:
        'The account and the role come from the session. Bodies of the panel admit only the fields of their contract.',
      open: '',
    },
    {
      id: 'T8',
      threat: 'The id of an object of another account gives access to it.',
      precedents: ['CVE-2026-45349', 'CVE-2026-45671'],
      mitigation:
        'Every query carries the account of the session or key. An object of another account looks the same as one that does not exist.',
      open: '',
    },
    {
      id: 'T9',
      threat: 'A revoked key or a disabled account goes on working.',
      precedents: ['CVE-2026-44553'],
      mitigation:
        'A revocation takes effect within a second, also by another process, and ends open streams. Where a notice of PostgreSQL is lost, it takes up to five seconds.',
      open: 'A replica that is cut off from PostgreSQL keeps its open streams until it is back or they end.',
    },
    {
      id: 'T10',
      threat: 'Passwords are guessed from many addresses.',
      precedents: ['CVE-2026-45364'],
      mitigation:
        'From some failures on, an attempt at an account, and any attempt from a network (an IPv4 address or an IPv6 /64), needs a proof of work, which a browser computes; a remembered browser of the owner needs none. Attempts at codes of the second step have to wait. `X-Forwarded-For` counts only from a proxy of `PIPIT_TRUSTED_PROXIES`.',
      open: 'An attacker with much computing power pays for a guess with up to 2^24 hashes only. Each guess costs the service one password hash, some 0.1 s of a core, in at most four threads.',
    },
    {
      id: 'T11',
      threat: 'A page of another site sends requests with the session (CSRF).',
      precedents: [],
      mitigation:
        'Cookies are `SameSite`, every change needs the own `Origin` and the media type `application/json`.',
      open: '',
    },
    {
      id: 'T12',
      threat: 'A session id is fixed before sign-in or read by a script.',
      precedents: [],
      mitigation:
        'Sign-in creates a new session and ends the old one. Cookies are `HttpOnly`, over https also `Secure` with the prefix `__Host-`.',
      open: '',
    },
  ],
}
