import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startServer, type Server } from '../process.ts'
import { installFromPypi } from './pypi.ts'

const key = 'sk-bench'

/** Installs LiteLLM at the first call. @throws Error if it cannot be installed */
export function installLiteLlm(): string {
  return installFromPypi('litellm', '1.89.7', 'proxy')
}

/** Starts LiteLLM with one worker and a master key, without a database, so that it records no usage. */
export async function startLiteLlm(
  command: string,
  upstream: Server,
  core?: number,
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-bench-litellm-'))
  const config = join(folder, 'config.yaml')
  // JSON is valid YAML.
  writeFileSync(config, JSON.stringify(configFor(upstream)))
  const port = await freePort()
  const server = await startServer({
    name: 'LiteLLM',
    command,
    args: ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    environment: {
      LITELLM_MODE: 'PRODUCTION',
      LITELLM_LOG: 'ERROR',
      // LiteLLM takes the prices from its own package, not from the network.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    },
    port,
    readyPath: '/health/liveliness',
    core,
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
  return { ...server, key, stop }
}

function configFor(upstream: Server): object {
  const target = { model: 'openai/svc-o1-mini', api_base: `${upstream.url}/v1`, api_key: 'none' }
  return {
    model_list: [{ model_name: 'svc-o1-mini', litellm_params: target }],
    litellm_settings: { telemetry: false },
    general_settings: { master_key: key },
  }
}
