import { chatParameters } from '../chat-parameters.ts'
import {
  completionTokensCeiling,
  connectionsMax,
  contextTokensDefaultMax,
  contextTokensMin,
  slotsDefault,
  weightMax,
  weightMin,
  weightsMax,
} from '../limits.ts'

type Setting = {
  /** Value if the setting is not set; null if there is no default, or if the default depends on other facts. */
  default: string | number | null
  /** Markdown that the documentation shows instead of the default. */
  defaultText?: string
  /** Minimum and maximum of a whole number. */
  range?: readonly [min: number, max: number]
  /** Maximum number of entries in a list. */
  entriesMax?: number
  /** Default and bounds if the engine is an upstream one. */
  upstream?: { default?: number; range: readonly [min: number, max: number] }
  /** The setting's name in earlier versions, which still works. */
  earlierName?: string
  /** Markdown, without a full stop at its end. `{range}`, `{entries}` and `{upstream range}` stand for the bounds. */
  meaning: string
}

/** Every setting of the service, in the order of docs/configuration.md, which `npm run reference` writes from it. */
export const settingsTable = {
  PIPIT_HOST: {
    default: '127.0.0.1',
    meaning:
      'Address to listen on. An address other than loopback needs at least one API key in the database',
  },
  PIPIT_PORT: { default: 8080, range: [0, 65_535], meaning: 'Port; 0 takes any free one' },
  PIPIT_CONNECTIONS_PER_ADDRESS: {
    default: connectionsMax / 2,
    range: [1, connectionsMax],
    meaning:
      'Open connections of one IPv4 address or IPv6 /64 ({range}); see [operations.md](operations.md#connections)',
  },
  PIPIT_TRUSTED_PROXIES: {
    default: null,
    entriesMax: 64,
    meaning:
      'Addresses and networks of your reverse proxies, such as `127.0.0.1, 10.0.0.0/8` (at most {entries}). Only a request from one of them can name its client in `X-Forwarded-For`. See [panel.md](panel.md#behind-a-proxy)',
  },
  PIPIT_ALLOWED_HOSTS: {
    default: null,
    entriesMax: 64,
    meaning:
      'More host names, without port, under which browsers may open the panel and Prometheus may read `/metrics`, such as `pipit, chat.example.com` (at most {entries}). See [operations.md](operations.md#host-names)',
  },
  PIPIT_TLS_CERT: {
    default: null,
    meaning:
      'Path of a certificate chain, in PEM. With it and its key, the service speaks https (TLS 1.2 or later) instead of http. See [operations.md](operations.md#tls)',
  },
  PIPIT_TLS_KEY: { default: null, meaning: 'Path of the key of that certificate, in PEM' },
  PIPIT_METRICS_PORT: {
    default: 9464,
    range: [0, 65_535],
    meaning:
      'Port of `/metrics`, always on 127.0.0.1. If it is unset and 9464 is taken, the service uses another free port and prints it',
  },
  PIPIT_DATA_DIR: {
    default: null,
    defaultText: '`$XDG_DATA_HOME/pipit` or `~/.local/share/pipit`',
    meaning: 'Accounts, keys, the ledger and pulled models. One `serve` per directory',
  },
  PIPIT_DATABASE_URL: {
    default: null,
    meaning:
      'Uses PostgreSQL in place of the database file of the data directory: `postgres://user:password@host:5432/database`. Several services may share it. See [PostgreSQL](operations.md#postgresql)',
  },
  PIPIT_RECEIPT_DAYS: {
    default: 30,
    range: [1, 3650],
    meaning:
      'Days to keep the receipt of each request ({range}). Older ones are deleted in small batches while the service runs. The sums per hour, day and month are kept for good',
  },
  PIPIT_LEDGER_MAX_GIB: {
    default: 10,
    range: [1, 65_536],
    meaning:
      'GiB that the database may use ({range}). At 80 % the log warns. Beyond it the oldest receipts are deleted, however young; the sums stay. On PostgreSQL the log warns, but nothing is deleted',
  },
  PIPIT_DRAIN_SECONDS: {
    default: 0,
    range: [0, 600],
    meaning:
      'Seconds that the service serves on after SIGTERM or Ctrl-C while `/readyz` returns 503 ({range}), so that a load balancer finds out before requests are refused. Set it to at least the time that your load balancer needs. See [operations.md](operations.md#stopping)',
  },
  PIPIT_GRACE_SECONDS: {
    default: 30,
    range: [0, 3600],
    meaning:
      'Seconds that running replies get to end after that ({range}). Then they are cut, with an error event. Give the service manager a limit longer than both together',
  },
  PIPIT_MAX_TOKENS: {
    default: null,
    range: [chatParameters.max_tokens.maximum, completionTokensCeiling],
    meaning: `Largest \`max_tokens\`, and its value when a request leaves it out ({range}): for a model that thinks before it answers. Without it they are ${chatParameters.max_tokens.maximum} and ${chatParameters.max_tokens.default}. A reply still ends after ten minutes and at the end of the context`,
  },
  PIPIT_WEIGHTS: {
    default: null,
    meaning: `Shares of accounts and API keys when all slots are busy, such as \`batch=0.5, acct_1a2b=4\` (${weightMin}–${weightMax}, at most ${weightsMax} entries; 1 without an entry). A name is the id or the name of an account or a key. Keys share within their account. Use ids for accounts if strangers can sign up, because they choose their names. See [api.md](api.md#sharing-the-engine)`,
  },
  PIPIT_SCHEMA_IN_PROMPT: {
    default: 'off',
    meaning:
      '`on` tells the model the schema of a `response_format`, at the end of the system message. Its tokens count as prompt tokens. See [api.md](api.md#structured-output)',
  },
  PIPIT_MODEL: {
    default: null,
    defaultText: 'the model of `pipit models use`, else the bundled file',
    meaning: 'Path of a GGUF file. `pipit models` downloads some; see [pull.md](pull.md)',
  },
  PIPIT_MODEL_SHA256: {
    default: null,
    meaning:
      'Checksum that the file of `PIPIT_MODEL` must have, as `sha256sum FILE` prints it. For a model in several files, it is the checksum of the list of their checksums, one in each line. A model with another checksum is refused. The bundled file is always checked',
  },
  PIPIT_CHAT_TEMPLATE: {
    default: null,
    defaultText: 'that of the model file',
    meaning:
      "Path of a Jinja file (UTF-8, at most 1 MiB) to use in place of the model file's chat template. A model file without one gets ChatML, and the start says so",
  },
  PIPIT_SLOTS: {
    default: null,
    defaultText: `\`${slotsDefault}\`, or what the memory allows`,
    range: [1, 64],
    upstream: { default: 256, range: [1, 1024] },
    meaning:
      'Replies generated side by side ({range}; in front of upstream engines {upstream range}, default {upstream default})',
  },
  PIPIT_CONTEXT_TOKENS: {
    default: null,
    defaultText: `the model's own, at most ${contextTokensDefaultMax}, or what the memory allows`,
    range: [contextTokensMin, 131_072],
    upstream: { range: [contextTokensMin, 2 ** 21] },
    meaning: `Prompt plus reply of one request ({range}, at most what the model was trained for). In front of upstream engines {upstream range}; default: what they report, else ${contextTokensDefaultMax}`,
  },
  PIPIT_KV_TYPE: {
    default: 'f16',
    meaning:
      '`q8_0` nearly halves the KV cache (17/32 of `f16`) and rounds its values. Replies then differ from those of `f16`, under another `system_fingerprint`. Needs attention heads of a multiple of 32 numbers',
  },
  PIPIT_GPU: {
    default: 'auto',
    meaning:
      '`cuda`, `vulkan`, `metal` or `off`. `auto` uses a GPU if its package is installed, otherwise the CPU; see GPU below',
  },
  PIPIT_THREADS: {
    default: null,
    defaultText: 'cores − 1, at least 1',
    range: [1, 256],
    meaning:
      'Threads of the engine. Leave one core to HTTP: engine threads spin while they wait for each other, and stall when they share a core',
  },
  PIPIT_SANDBOX: {
    default: 'on',
    meaning: '`off` starts the engine process without its sandbox; see Sandbox below',
  },
  PIPIT_CACHED_TOKENS: {
    default: null,
    defaultText: 'slots × context tokens ÷ 4',
    range: [0, 16_777_216],
    meaning:
      'Tokens of conversations to keep in memory after they lost their slot, so that their next turn starts from there. The least recently used go first. Only the same account finds them. 0 keeps none',
  },
  PIPIT_SPECULATIVE_TOKENS: {
    default: 8,
    range: [0, 16],
    earlierName: 'PIPIT_GUESSED_TOKENS',
    meaning:
      'Maximum number of speculative tokens per step ({range}). They are the text that a JSON schema fixes, or copied from earlier text of the conversation, and verified in the same step. They change the speed and never the reply. Used for a request that is alone in the engine, as long as it pays',
  },
  PIPIT_PUBLIC_URL: {
    default: null,
    defaultText: 'the address it listens on',
    meaning:
      "The URL that browsers use, such as `https://pipit.example.com`: for links, the panel's origin and its cookies. For this and the next settings, see [panel.md](panel.md)",
  },
  PIPIT_SIGN_UP: {
    default: null,
    meaning:
      'Who can create an account after the first user: `closed`, `invite`, `open`. Without it, admins turn invites on and off in the panel',
  },
  PIPIT_OIDC_ISSUER: {
    default: null,
    meaning: 'URL of an OpenID Connect issuer for signing in to the panel',
  },
  PIPIT_OIDC_CLIENT_ID: { default: null, meaning: 'Client id at the issuer' },
  PIPIT_OIDC_CLIENT_SECRET: { default: null, meaning: 'Client secret at the issuer' },
  PIPIT_OIDC_NAME: {
    default: null,
    defaultText: "the issuer's host",
    meaning: 'Name on the sign-in button',
  },
  PIPIT_LOG_LEVEL: {
    default: 'info',
    meaning:
      '`debug`, `info`, `warn`, `error`, `silent`: JSON lines on standard error, or lines for a person if that is a terminal',
  },
  PIPIT_ENGINE: {
    default: 'embedded',
    meaning:
      '`upstream`: engines in other processes, see [upstream.md](upstream.md). `scripted` is an engine without a model, with repeatable replies, for your own CI',
  },
  PIPIT_UPSTREAM_URLS: {
    default: null,
    entriesMax: 64,
    meaning:
      'http or https URLs of engines with the OpenAI API, such as `http://10.0.0.5:8000` (1–{entries}, with or without `/v1`). Required with `PIPIT_ENGINE=upstream`. This and the next three are refused with any other engine',
  },
  PIPIT_UPSTREAM_FLAVOUR: {
    default: 'openai',
    meaning:
      '`vllm`, `sglang`, `llama-server`, `ollama`, or `openai` for any other one and for routers',
  },
  PIPIT_UPSTREAM_MODEL: {
    default: null,
    meaning: 'Name of the model at the engines. Required with `PIPIT_ENGINE=upstream`',
  },
  PIPIT_UPSTREAM_KEY: {
    default: null,
    meaning: 'Key that the engines ask for, as a bearer credential',
  },
  PIPIT_SCRIPTED_TOKENS_PER_SECOND: {
    default: 0,
    range: [0, 1_000_000],
    meaning: 'Speed of the scripted engine; 0 is as fast as possible',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settingsTable

/** Variables of the commands that call a service, each with its name in earlier versions. */
export const clientVariables = { PIPIT_BASE_URL: 'PIPIT_URL', PIPIT_API_KEY: 'PIPIT_KEY' } as const

/** Returns the setting's name in earlier versions, if it had another one. */
export function earlierNameOf(name: SettingName): string | undefined {
  const setting: Setting = settingsTable[name]
  return setting.earlierName
}

export const settingNames = Object.keys(settingsTable) as SettingName[]
