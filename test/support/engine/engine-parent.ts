import { startEngine } from './engine-fixtures.ts'

// A process for a test to kill. It starts an engine with the model in its first argument, and prints the engine's pid.
const engine = await startEngine({ modelPath: process.argv[2] ?? '' })
process.stdout.write(`${engine.pid}\n`)
