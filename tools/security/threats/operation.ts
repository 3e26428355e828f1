import type { ThreatGroup } from '../threat.ts'

export const operationThreats: ThreatGroup = {
  title: 'Process, supply and operation',
  threats: [
    {
      id: 'T38',
      threat: 'A fault in the engine or in Node gives the rights of the process.',
      precedents: [],
      mitigation:
        'On Linux the engine process has a sandbox: limits, no privileges, Landlock where the kernel has it, and a seccomp filter. It has no network, starts no program, changes no file and reads no file but its own and the model.',
      open: 'The HTTP process has the rights of its user. On a kernel older than 5.13 the engine can read other files of that user.',
    },
    {
      id: 'T39',
      threat: 'A package from a registry is replaced by a hostile one.',
      precedents: [],
      mitigation:
        'Versions are exact, the lock file has a checksum of every package, and no package but Node itself may run a script when it is installed.',
      open: 'There is no SBOM and no minimum age of a release.',
    },
    {
      id: 'T40',
      threat: 'Rendering on the server runs code of a request.',
      precedents: ['React Server Components'],
      mitigation:
        'The panel consists of static files and a JSON API. Nothing renders on the server.',
      open: '',
    },
    {
      id: 'T41',
      threat: 'Requests fill the disk.',
      precedents: ['GHSA-mgrm-fgjv-mhv8'],
      mitigation:
        'Stored replies have a maximum of 64 MiB and 24 hours, receipts a number of days. Refused requests are counted, and a bounded sample of them has receipts. On a full disk requests are refused until there is space.',
      open: '',
    },
    {
      id: 'T42',
      threat: 'Invisible or directional characters make a name look like another.',
      precedents: [],
      mitigation:
        'Names are NFC, printable, without direction marks, and at most 64 characters and 256 bytes long.',
      open: 'Letters of other scripts that look alike are allowed.',
    },
    {
      id: 'T43',
      threat: 'One caller takes all slots.',
      precedents: [],
      mitigation:
        'Of the places in the queue, a key and an account have shares at most. Accounts take turns, and so do the keys of an account. A key and an account can have further limits of requests, tokens and parallel requests.',
      open: 'A caller that is alone gets every slot, and a running reply is not cut for another caller. Where replies take minutes, another caller may wait up to 30 s for its first slot and is then refused with `Retry-After` (`queue_timeout`). The operator can limit the parallel requests of a key or an account to fewer than the slots, give the engine more slots, or lower `PIPIT_MAX_TOKENS`.',
    },
    {
      id: 'T44',
      threat: 'A copy of the database or a backup gives access.',
      precedents: [],
      mitigation:
        'Keys, links, session tokens and passwords are stored as hashes only. The last four characters of a key are stored in clear, so that its owner recognises it. They belong to the checksum and tell 24 of the 256 random bits. The secret of the cookies is a file of its own, which only its owner can read.',
      open: 'A copy of the whole data directory has both. The signing key of the webhook for alerts and the password of the mail server are in clear.',
    },
  ],
}
