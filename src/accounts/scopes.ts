/** `chat`: completions, token counts and tokenisation. `read`: receipts. Models and the key itself need no scope. */
export const scopes = ['chat', 'read'] as const
export type Scope = (typeof scopes)[number]
