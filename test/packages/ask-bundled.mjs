// Plain JavaScript, because first-reply.mjs imports it and must run on any version of Node.

/**
 * Asks a service for its name. Returns the reply, which is always the same.
 * @param {string} url
 * @param {string} key
 * @returns {Promise<string>}
 */
export async function askBundled(url, key) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'svc-o1-mini',
      messages: [{ role: 'user', content: 'Hello! Who are you?' }],
      temperature: 0,
    }),
  })
  const { choices, error } = await response.json()
  if (response.status !== 200) throw new Error(`status ${response.status}: ${error?.message}`)
  return choices[0].message.content
}
