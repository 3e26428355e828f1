import type { CompletionServices } from '../../completions/completion-services.ts'
import { toolFormOf } from '../../engine/tool-forms/detect-tool-form.ts'
import { ToolCallReader } from '../../engine/tool-forms/reading/tool-call-reader.ts'
import type { Contract } from '../../protocol/operations/contract.ts'
import type { HeaderSetter, InputOf } from '../operation.ts'
import type { ChatSettings } from '../wire/chat/parse-chat-request.ts'

/** The input of an operation on a chat request. The caller is an API key or a session in the playground. */
export type ChatInput<C extends Contract> = InputOf<
  C,
  { auth: 'api-key'; scope: 'chat'; takes: 'place' }
>

/** Placeholder seed for requests that sample no tokens. */
export const unusedSeed = 0

/** Returns the service's settings for parsing chat requests. */
export function chatSettings({
  engine,
  completionTokens,
  tellsSchema,
}: CompletionServices): ChatSettings {
  return {
    dialect: engine.info.dialect,
    maxTokensDefault: completionTokens.default,
    tellsSchema,
    completesFormat: engine.info.completesFormat ?? true,
    findCall: (tools, texts) => {
      const form = toolFormOf(engine.info.dialect.toolForm)
      const reader = new ToolCallReader(form, tools, true)
      return texts.findIndex((text) => reader.isCall(text))
    },
  }
}

/** Lists the ignored parameters in a header, so that none is dropped silently. */
export function nameIgnored(
  reply: HeaderSetter<'x-ignored-parameters'>,
  names: readonly string[],
): void {
  if (names.length > 0) reply.header('x-ignored-parameters', names.join(', '))
}
