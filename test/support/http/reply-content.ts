type Choice = { index: number; finish_reason: string | null; logprobs?: unknown }
type Message = { [name: string]: unknown; tool_calls?: { id?: string }[] }
type Usage = { prompt_tokens: number; completion_tokens: number }
export type Reply = { choices: (Choice & { message: Message })[]; usage: Usage }

type Delta = { content?: string; tool_calls?: { function?: object }[] }
type Chunk = { choices: (Choice & { delta: Delta })[]; usage?: Usage | null }

/** Returns the choices of a whole reply without the ids of tool calls, which are random. */
export function contentOfReply({ choices }: Reply): object {
  for (const { message } of choices) for (const call of message.tool_calls ?? []) delete call.id
  return choices
}

/** Joins the chunks of a stream by choice, because the engine may divide equal replies into different chunks. */
export function contentOfStream(chunks: readonly object[]): object {
  const choices: Record<number, { text: string; calls: string; logprobs: unknown[] }> = {}
  const ends = new Set<string>()
  for (const chunk of chunks as Chunk[]) {
    if (chunk.usage) ends.add(`${chunk.usage.completion_tokens} tokens`)
    for (const { index, delta, finish_reason: reason, logprobs } of chunk.choices) {
      const choice = (choices[index] ??= { text: '', calls: '', logprobs: [] })
      choice.text += delta.content ?? ''
      for (const { function: called = {} } of delta.tool_calls ?? [])
        choice.calls += Object.values(called).join('')
      const { content = [] } = (logprobs ?? {}) as { content?: unknown[] }
      choice.logprobs.push(...content)
      if (reason !== null) ends.add(`${index}: ${reason}`)
    }
  }
  return { choices, ends }
}
