import { request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'

type Sent = {
  status: number
  text: string
  /** The code of an error. */
  code: string | undefined
  cookies: string[]
}
type SendOptions = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The certificate to trust, for https. */
  ca?: string
}

/** Sends a request with any headers, including those that `fetch` sets itself, such as `Host`. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body, ca }: SendOptions = {},
): Promise<Sent> {
  const options = { method, headers, agent: false, timeout: 10_000 }
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:')
      ? sendHttps(url, { ...options, ca })
      : sendHttp(url, options)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text,
          code: /"code":"(\w+)"/.exec(text)?.[1],
          cookies: response.headers['set-cookie'] ?? [],
        }),
      )
    })
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`no reply from ${url}`)))
    request.end(body)
  })
}
