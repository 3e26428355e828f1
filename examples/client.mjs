// Sends one conversation to the service and returns the text of the reply. Needs Node 22, and nothing else.
const url = process.env.PIPIT_BASE_URL ?? 'http://127.0.0.1:8080'
const key = process.env.PIPIT_API_KEY

/**
 * @param {string} system instructions for the model
 * @param {string} text the text to which the model applies the instructions
 * @param {object} options more fields of the request, such as response_format
 */
export async function complete(system, text, options = {}) {
  if (key === undefined) throw new Error('Set PIPIT_API_KEY to an API key of the service.')
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: text },
  ]
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc-o1-mini', messages, temperature: 0, ...options }),
    // A long reply on a slow machine takes minutes.
    signal: AbortSignal.timeout(300_000),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`The service says: ${body.error?.message ?? response.status}`)
  return body.choices[0].message.content
}
