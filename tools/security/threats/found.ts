import type { ThreatGroup } from '../threat.ts'

/** Attacks that succeeded on an earlier build. */
export const foundThreats: ThreatGroup = {
  title: 'Found by attacking an earlier build',
  threats: [
    {
      id: 'T45',
      threat: 'Connections that pipeline requests and read nothing use gigabytes.',
      precedents: [],
      mitigation:
        'A connection has at most 16 unanswered requests, an unread response ends it after about 10 s, and the files of the panel are held in memory once.',
      open: '',
    },
    {
      id: 'T46',
      threat: '4,096 idle connections of one address shut out everyone else.',
      precedents: [],
      mitigation:
        'An address has at most half of the connections (`PIPIT_CONNECTIONS_PER_ADDRESS`). A new connection takes the place of one without a request.',
      open: '',
    },
    {
      id: 'T47',
      threat: 'A 5 KB schema stalls the engine for seconds and has it killed.',
      precedents: [],
      mitigation:
        'The compiler counts the work that it does. Compiling and tokenising run on threads apart from the message loop, and a hang counts against no request that only waited.',
      open: '',
    },
    {
      id: 'T48',
      threat: 'Requests that hang up go on preparing their prompts.',
      precedents: [],
      mitigation:
        'A hang-up ends compiling within 50 ms, and tokenising after the piece that is being tokenised: within 50 ms for a text with spaces.',
      open: 'A text without a space between two letters is one piece, which takes up to 0.3 s.',
    },
    {
      id: 'T49',
      threat: 'Prompts of 1 MB stall other requests.',
      precedents: [],
      mitigation:
        'Places are taken before bodies are read, bodies in flight have a budget of bytes, and large ones are parsed in turns.',
      open: '',
    },
    {
      id: 'T50',
      threat: 'Counting tokens obeys no limit.',
      precedents: [],
      mitigation: 'It counts against requests per minute and parallel requests.',
      open: '',
    },
    {
      id: 'T51',
      threat: 'One key takes every slot, and an unread stream keeps its slots.',
      precedents: [],
      mitigation:
        'A key and an account have shares of the places, and callers take turns. An unread stream frees its slots when the engine ends.',
      open: 'A key that is alone gets every slot until its replies end. T43 has what that means for other keys, and what the operator can do.',
    },
    {
      id: 'T52',
      threat: 'Refused requests fill the disk.',
      precedents: [],
      mitigation:
        'Refusals are counters by key, hour and code. An account has at most 30 receipts of them per minute, all accounts together 120.',
      open: '',
    },
    {
      id: 'T53',
      threat: 'A settlement that fails once is never tried again.',
      precedents: [],
      mitigation:
        'It is repeated until it is on disk. A sweep closes entries that no request can hold any more.',
      open: '',
    },
    {
      id: 'T54',
      threat: 'A clock that jumps deletes all receipts.',
      precedents: [],
      mitigation:
        'Expiry follows a clock of its own, which gains at most two days in a day. Waiting uses the monotonic clock.',
      open: '',
    },
    {
      id: 'T55',
      threat: 'A copy of the database gives sessions.',
      precedents: [],
      mitigation:
        'Session tokens are stored as hashes, and the cookie secret outside the database.',
      open: '',
    },
    {
      id: 'T56',
      threat: 'Anyone can lock the owner of an account out.',
      precedents: [],
      mitigation:
        'Strangers can make a proof of work harder for the owner, but not refuse the owner. With `PIPIT_TRUSTED_PROXIES` each client behind a proxy has its own counter.',
      open: '',
    },
    {
      id: 'T57',
      threat: 'An invitation by OIDC accepts an unverified e-mail address.',
      precedents: [],
      mitigation:
        'The issuer must say that it has verified the address, else no account is created.',
      open: '',
    },
    {
      id: 'T58',
      threat: 'A foreign `Host` reaches sign-in and `/metrics` (DNS rebinding).',
      precedents: [],
      mitigation:
        'The panel, sign-in and `/metrics` answer only to the public URL, loopback names and `PIPIT_ALLOWED_HOSTS`.',
      open: '',
    },
    {
      id: 'T59',
      threat:
        'Limits of the operation are fixed: grace period, keys of an account, checksum of the model, TLS.',
      precedents: [],
      mitigation:
        '`PIPIT_GRACE_SECONDS` and `PIPIT_MODEL_SHA256` set two of them, and `PIPIT_TLS_CERT` and `PIPIT_TLS_KEY` serve https. An account has at most 1,000 keys.',
      open: '',
    },
    {
      id: 'T61',
      threat: 'Somebody who saw the code of an authenticator app signs in with it.',
      precedents: ['RFC 6238 §5.2'],
      mitigation: 'Each code works once. After it, the codes of earlier time steps no longer work.',
      open: '',
    },
  ],
}
