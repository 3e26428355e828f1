// A bare node:http server that echoes a message: the minimum cost of a request on this machine.
import { createServer } from 'node:http'

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end()
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: unknown[] }
    const reply = JSON.stringify({
      choices: [{ message: messages[0], finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    })
    response.setHeader('content-type', 'application/json')
    response.setHeader('content-length', Buffer.byteLength(reply))
    response.end(reply)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
