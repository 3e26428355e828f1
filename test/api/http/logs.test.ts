import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogFields, Logger } from '../../../src/telemetry/logger.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'

// The test puts unique strings into every input; they may come out only in the reply.
test('no prompt, reply or key is in a log line, a metric, an error or a file (T32)', async () => {
  const canary = {
    prompt: 'canary-prompt-7f3a',
    reply: 'canary-reply-91bc',
    key: 'canary-key-55de',
    field: 'canary-field-02aa',
  }
  const lines: string[] = []
  const write = (message: string, fields?: LogFields) => {
    const { error, ...rest } = fields ?? {}
    lines.push(
      JSON.stringify([
        message,
        rest,
        error instanceof Error ? [error.stack, String(error.cause)] : error,
      ]),
    )
  }
  const logger: Logger = { debug: write, info: write, warn: write, error: write }
  const engine = scriptedEngine({
    slots: 2,
    contextTokens: 512,
    reply: () => `${canary.reply} and more`,
    failure: { marker: 'FAIL', afterTokens: 1 },
  })
  const service = await startTestService({ engine, logger })
  const errors: string[] = []
  try {
    const messages = [{ role: 'user', content: canary.prompt }]
    const body = { model: 'svc-o1-mini', messages }
    const failing = { ...body, messages: [{ role: 'user', content: `${canary.prompt} FAIL` }] }
    await (await service.post(body)).text()
    await service.stream(body)
    const bad: [unknown, object][] = [
      [failing, {}],
      [body, { key: canary.key }],
      [`{"model": ${canary.prompt}`, {}],
      [{ ...body, temperature: canary.prompt }, {}],
      [{ ...body, model: canary.prompt }, {}],
      [{ ...body, messages: [{ role: canary.prompt, content: 'x' }] }, {}],
      [{ ...body, messages: [{ role: 'user', content: `${canary.prompt} `.repeat(600) }] }, {}],
      [body, { path: `/v1/${canary.prompt}` }],
      [
        body,
        {
          path: `/v1/chat/completions?x=${canary.prompt}`,
          headers: { 'content-type': canary.field },
        },
      ],
    ]
    for (const [wrong, init] of bad) errors.push(await (await service.post(wrong, init)).text())
    const ends = (await service.stream(failing)).events.filter((event) => event.error)
    expect(ends).toHaveLength(1)
    errors.push(JSON.stringify(ends))
    errors.push(await (await fetch(service.metricsUrl)).text())
    const files = readdirSync(service.dataDir).map((name) =>
      readFileSync(join(service.dataDir, name), 'latin1'),
    )
    const everything = [...lines, ...errors, ...files].join('\n')
    expect(lines.length).toBeGreaterThan(5)
    for (const secret of [...Object.values(canary), service.key])
      expect(everything).not.toContain(secret)
  } finally {
    await service.close()
  }
})
