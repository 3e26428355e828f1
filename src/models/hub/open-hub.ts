import { StartError } from '../../errors.ts'
import { retryPauseMs } from '../models-limits.ts'
import { HubHttp } from './http.ts'
import type { Hub } from './repository.ts'

/**
 * Opens the hub at HF_ENDPOINT, with the access token in HF_TOKEN and the proxy in HTTPS_PROXY.
 * @throws StartError if HF_ENDPOINT is not a valid address
 */
export function openHub(
  environment: Readonly<Record<string, string | undefined>>,
  pauseMs = retryPauseMs,
): Hub {
  const text = environment['HF_ENDPOINT']?.trim() || 'https://huggingface.co'
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '')
    throw new StartError(
      `HF_ENDPOINT must be like https://huggingface.co, not ${JSON.stringify(text)}.`,
    )
  const token = environment['HF_TOKEN']?.trim() || undefined
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new StartError('HF_TOKEN must be one word of printable characters, like hf_….')
  return {
    http: new HubHttp(environment, token, url.origin),
    endpoint: url.href.endsWith('/') ? url.href.slice(0, -1) : url.href,
    hasToken: token !== undefined,
    retryPauseMs: pauseMs,
  }
}
