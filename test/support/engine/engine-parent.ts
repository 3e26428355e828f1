import { startEngine } from './engine-fixtures.ts'

// A process to be killed: it starts the model file of its first argument and prints the engine's pid.
const engine = await startEngine({ modelPath: process.argv[2] ?? '' })
process.stdout.write(`${engine.pid}\n`)
