import { Command } from 'commander'
import { loadConfig, unknownSettings } from '../../config.ts'
import type { Service } from '../../main.ts'
import { isChosenByUse, withUsedModel } from '../../models/used-model.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import { commandLine } from '../../paths.ts'
import { reportRenamedSettings } from '../client-variables.ts'
import { examples } from '../examples.ts'
import { printOnce } from '../output.ts'
import { sameSignalMs } from '../stop-signals.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { version } from '../../version.ts'

export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'serve the model over HTTP; settings are PIPIT_… variables, see docs/configuration.md',
    )
    .summary('serve the model over HTTP')
    .addHelpText('after', examples('serve'))
    .action(serve)
}

async function serve(): Promise<void> {
  reportRenamedSettings(process.env)
  const unchosen = loadConfig(process.env)
  const config = withUsedModel(unchosen, process.env)
  // A hook that renews the certificate may send SIGHUP while the model loads. The service opens the newest files anyway.
  if (config.tls !== undefined) process.on('SIGHUP', ignore)
  const logger = createLogger(config.logLevel)
  for (const name of unknownSettings(process.env))
    process.stderr.write(
      `pipit: ${name} is not a setting and has no effect; see docs/configuration.md.\n`,
    )
  // Imported here, so that other commands do not load the server.
  const { startService } = await import('../../main.ts')
  // Process 1 of a container ignores a signal that it does not handle.
  process.on('SIGTERM', exitNow)
  process.on('SIGINT', exitNow)
  const choosable = isChosenByUse(unchosen, process.env) ? unchosen : undefined
  const service = await startService(config, logger, undefined, choosable)

  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < sameSignalMs) return
      process.exit(130)
    }
    stoppingSince = performance.now()
    logger.info('stopping after running requests have finished', { signal })
    service.close().then(
      // With `process.exitCode`, which is 1 if the ledger has failed.
      () => process.exit(),
      (error: unknown) => {
        logger.error('shutdown failed', { error })
        process.exit(1)
      },
    )
  }
  service.failed.addEventListener('abort', () => {
    logger.error('stopping because the ledger can no longer be written', {
      error: service.failed.reason,
    })
    process.exitCode = 1
    void service.close().finally(() => process.exit(1))
  })
  const { certificate } = service
  if (certificate !== undefined) {
    process.off('SIGHUP', ignore)
    process.on('SIGHUP', () => void certificate.reload())
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.off(signal, exitNow)
    process.on(signal, stop)
  }
  // Printed last: a supervisor may send a signal as soon as it has read this.
  if (service.firstKey === undefined) console.log(banner(service))
  else
    printOnce(
      banner(service),
      `The first API key is lost: create another with \`${commandLine} keys create --name NAME\`.`,
    )
}

function ignore(): void {}

/** Ends a service that is starting. It has no requests yet, and its database can be opened again at any time. */
function exitNow(signal: NodeJS.Signals): void {
  process.exit(signal === 'SIGTERM' ? 143 : 130)
}

function banner(service: Service): string {
  const { url, callUrl, metricsUrl, model, dataDir, firstKey, setUpUrl } = service
  const lines = [
    `Pipit ${version} serves ${modelId} on ${url}`,
    `  model    ${model}`,
    `  data     ${dataDir}`,
    `  panel    ${callUrl}/`,
    `  docs     ${callUrl}/docs`,
    `  metrics  ${metricsUrl}`,
    '',
  ]
  if (firstKey === undefined)
    lines.push(`To create an API key: ${commandLine} keys create --name NAME`, '')
  else
    lines.push(
      'This is the first start. Copy your API key now; it is not shown again:',
      '',
      `  ${firstKey}`,
      '',
      'Try it:',
      '',
      `  ${curlLine(callUrl, firstKey)}`,
      '',
    )
  if (setUpUrl !== undefined)
    lines.push(
      'The developer panel has no user yet. Create the first one here:',
      '',
      `  ${setUpUrl}`,
      '',
      'The link works once, within 24 hours.',
      '',
    )
  return lines.join('\n')
}

function curlLine(url: string, key: string): string {
  const body = { model: modelId, messages: [{ role: 'user', content: 'Hello! Who are you?' }] }
  return (
    `curl ${url}/v1/chat/completions -H 'Authorization: Bearer ${key}' ` +
    `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  )
}
