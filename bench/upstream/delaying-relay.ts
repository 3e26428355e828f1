// Forwards connections to a port of this machine and delays each direction, as a network would. Runs in a worker thread,
// so that its timers do not wait for the load generator.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { port, delayMs } = workerData as { port: number; delayMs: number }

const relay = createServer((client) => {
  const server = connect(port, '127.0.0.1')
  forward(client, server)
  forward(server, client)
}).listen(0, '127.0.0.1', () => parentPort?.postMessage((relay.address() as AddressInfo).port))

function forward(from: Socket, to: Socket): void {
  from.setNoDelay(true)
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs))
  from.on('error', () => to.destroy())
  from.on('close', () => setTimeout(() => to.end(), delayMs))
}
