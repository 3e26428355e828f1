import type { ThreatGroup } from '../threat.ts'

export const inputThreats: ThreatGroup = {
  title: 'Input',
  threats: [
    {
      id: 'T13',
      threat: 'Huge bodies, huge headers or many headers use up memory.',
      precedents: ['CVE-2025-48956'],
      mitigation:
        'The body of a request to the model has at most 1 MiB, any other 64 KiB, and the headers 16 KiB. The key is checked and a place is taken before the body is read. The bodies of a key, of an account and of all callers have maxima together, and so have unanswered requests of a connection.',
      open: '',
    },
    {
      id: 'T14',
      threat: 'Slow senders and slow readers hold connections, memory and slots.',
      precedents: ['Slowloris'],
      mitigation:
        'Headers, bodies, handshakes and unread responses have deadlines. An address has a maximum of connections, and a new connection takes the place of an idle one. What waits for slow readers is bounded by key and account, and an unread stream frees its slots when the engine ends.',
      open: 'A flood from many addresses needs a firewall.',
    },
    {
      id: 'T15',
      threat: 'Deep, wide or malformed JSON stalls or crashes the service.',
      precedents: ['CVE-2026-21717'],
      mitigation:
        'Nesting, members, names and values are counted before the body is parsed, bytes that are not UTF-8 are refused, and arrays, texts and numbers have maxima.',
      open: 'Beside 14,000 hostile requests to the scripted engine and 6,000 to the real one, on two cores (Zen 5), the p99 of a good client went from 19 to 31 ms with the scripted engine and from 59 to 101 ms with the real one. The front grew by 32 to 43 MB in 15,440 requests.',
    },
    {
      id: 'T16',
      threat: 'A body or a header changes the prototype of objects.',
      precedents: ['CVE-2026-21710'],
      mitigation:
        '`__proto__` is refused at any depth of a body, and a header of this name is like any other.',
      open: '',
    },
    {
      id: 'T17',
      threat: 'A number without a bound reaches the engine.',
      precedents: ['CVE-2026-34756', 'CVE-2026-21869'],
      mitigation:
        'Every number has a bound, integers are exact, and the engine gets only declared fields.',
      open: '',
    },
    {
      id: 'T18',
      threat: 'A long text stalls other requests while it is tokenised.',
      precedents: ['CVE-2025-62426', 'vLLM issue 58192'],
      mitigation:
        'The engine process tokenises and compiles on threads of their own, in lines by size, and a hang-up ends the work. A place is taken before the body is read, and large bodies are parsed one after the other, with other work in between. Short prompts take up to three rows for each row of a long one, and sampled tokens are sent before the next part of a prompt is computed.',
      open: '',
    },
    {
      id: 'T19',
      threat: 'A request crashes the engine.',
      precedents: ['node-llama-cpp issue 129'],
      mitigation:
        'The engine is a child process that is restarted. A prompt that leaves no room is refused. Running replies continue after a crash. A request that was running in two crashes is refused for ten minutes, the others are answered. After five crashes in five minutes, new requests get 503 for 30 s.',
      open: '',
    },
    {
      id: 'T20',
      threat: 'Special tokens in a message forge a turn of the conversation.',
      precedents: ['llama.cpp issue 24382', 'Ollama issue 17262'],
      mitigation:
        'Only the text of the template can become special tokens. Texts of a caller stay plain text, also inside tools and calls, and where the tokenizer finds control texts in any text: those are cut in two.',
      open: 'A control text that neither the template names nor has one of the usual forms; a tool named like a mark, in a template that writes `<` and `>` around names. Texts of callers go to upstream engines unchanged, so special tokens in them may form turns there.',
    },
    {
      id: 'T21',
      threat: 'The model writes special tokens that appear as text.',
      precedents: [],
      mitigation: 'Special tokens have no bytes, so they cannot appear in a reply.',
      open: '',
    },
    {
      id: 'T22',
      threat: 'The chat template of a model file attacks the service.',
      precedents: [],
      mitigation:
        'Templates come from the model file only, run in the engine process and are stopped when they do not end.',
      open: '',
    },
    {
      id: 'T23',
      threat: 'A damaged or hostile model file crashes the parser.',
      precedents: ['CVE-2026-7482', 'CVE-2026-27940'],
      mitigation:
        'There is no upload. The bundled file is pinned by its SHA-256, and one of your own can be. One that was pulled has the SHA-256 of the hub, and commands read its header in TypeScript only. Files are loaded in the child, which has a sandbox. A file that cannot be used is refused in one sentence.',
      open: '',
    },
    {
      id: 'T24',
      threat: 'The name of a model becomes the path of a file.',
      precedents: ['CVE-2026-7020'],
      mitigation: '`model` is compared with one constant and used for nothing else.',
      open: '',
    },
    {
      id: 'T25',
      threat: 'A JSON Schema or a pattern takes very long to compile, or crashes the engine.',
      precedents: ['CVE-2025-48944', 'GHSA-mgrm-fgjv-mhv8'],
      mitigation:
        'Size, depth, nodes, alternatives and states of a schema have maxima, and the compiler counts the work that it does. Grammars and regular expressions of llama.cpp are not accepted.',
      open: '',
    },
    {
      id: 'T26',
      threat: "A text makes one of the service's own regular expressions run for long.",
      precedents: [],
      mitigation:
        'No pattern of the source code takes long for hostile texts. Patterns of a caller become automata and are never run as regular expressions.',
      open: "Patterns of packages, such as the HTTP framework's, are not measured.",
    },
    {
      id: 'T27',
      threat: 'A request with another media type is read as JSON.',
      precedents: ['CVE-2026-3419'],
      mitigation: 'Only `application/json`, with charset UTF-8 or none, is read.',
      open: '',
    },
    {
      id: 'T28',
      threat: 'Ambiguous HTTP smuggles a request past a proxy.',
      precedents: [],
      mitigation:
        "Node's strict parser refuses malformed requests with 400 and closes the connection. CONNECT is refused, and an unknown `Expect` is ignored.",
      open: '',
    },
    {
      id: 'T29',
      threat: 'A generated text forges an event of the stream.',
      precedents: [],
      mitigation: 'Every event is one line of JSON, which has no raw line breaks.',
      open: '',
    },
    {
      id: 'T30',
      threat: 'A request makes the service fetch a URL of its choice (SSRF).',
      precedents: ['CVE-2024-6587'],
      mitigation:
        'No field, header or schema makes the service open a connection. It connects only to the configured OIDC issuer, and to the webhook and the mail server of an administrator (T60).',
      open: '',
    },
    {
      id: 'T60',
      threat:
        'The webhook or the mail server of alerts reaches private addresses, or gives away credentials.',
      precedents: [],
      mitigation:
        'Only administrators set them, so private addresses are allowed: an administrator can make the service post JSON to any address that it reaches, and sees the status but no body of the reply. Only http and https URLs without a password are taken, and redirects are not followed. Webhooks are signed. The signing secret and the mail password are never shown again, stay out of the audit log, and a stored password is used for no other server, port, encryption or user.',
      open: 'The database holds both secrets in readable form. An administrator can find out which ports of private addresses answer.',
    },
  ],
}
