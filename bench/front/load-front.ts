import { LoadClient, runLoad, type Reply } from '../load.ts'
import type { Server } from '../process.ts'

export type Way = 'whole' | 'streamed'

const body = {
  messages: [{ role: 'user', content: 'What time does the museum open on Sunday?' }],
  max_tokens: 8,
}

/** Asks a server the same question, `parallel` callers at a time. Each caller keeps one connection. */
export async function loadFront(
  server: Server,
  way: Way,
  parallel: number,
  until: { count: number } | { durationMs: number },
  changes: object = {},
): Promise<{ replies: Reply[]; wallMs: number }> {
  const client = new LoadClient(server, 'kept')
  const request = { ...body, ...changes }
  try {
    return await runLoad(parallel, until, () =>
      way === 'whole' ? client.complete(request) : client.stream(request),
    )
  } finally {
    client.close()
  }
}
