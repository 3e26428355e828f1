/** Names of the functions that every chat template can call. */
export const globalNames = [
  'range',
  'dict',
  'namespace',
  'raise_exception',
  'strftime_now',
  'cycler',
  'joiner',
] as const

export type GlobalName = (typeof globalNames)[number]
