import { countInputTokens, createChatCompletion } from '../chat.ts'
import { contract } from '../contract.ts'

/** Completions and token counts for callers with a session instead of an API key. */
export const playgroundContracts = {
  complete: contract({ ...createChatCompletion, path: '/panel/api/chat/completions' }),
  countInputTokens: contract({
    ...countInputTokens,
    path: '/panel/api/chat/completions/input_tokens',
  }),
}
