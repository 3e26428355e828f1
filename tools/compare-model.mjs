// Compares llama.cpp's output for a GGUF with PyTorch's, which model/verify.py wrote: token ids, the most likely
// next token, log-probabilities, and the first tokens of the reply.
//
//     node tools/compare-model.mjs FILE.gguf reference.json
//
// Prints one JSON line, and exits with 1 if the two differ.
import { readFileSync } from 'node:fs'
import { getLlama } from 'node-llama-cpp'

// Largest allowed difference of a log-probability, in nats. llama.cpp also quantizes activations, to 8 bits.
const toleranceMax = 0.3
const toleranceMean = 0.06
const unlikely = -7

const [modelPath, referencePath] = process.argv.slice(2)
if (!modelPath || !referencePath) {
  console.error(
    'Name a file and a reference: node tools/compare-model.mjs FILE.gguf reference.json',
  )
  process.exit(1)
}
const reference = JSON.parse(readFileSync(referencePath, 'utf8'))
const llama = await getLlama({
  gpu: false,
  build: 'never',
  progressLogs: false,
  logLevel: 'error',
  maxThreads: 2,
})
const model = await llama.loadModel({ modelPath })
const context = await model.createContext({ contextSize: 512, sequences: 1, threads: 2 })
const sequence = context.getSequence()

const found = {
  prompts: reference.length,
  sameIds: 0,
  positions: 0,
  sameTop: 0,
  nearTies: 0,
  sameReplies: 0,
  largestDifference: 0,
  meanDifference: 0,
}
let differences = 0
for (const { prompt, ids, logprobs, greedy } of reference) {
  if (JSON.stringify([...model.tokenize(prompt, true)]) !== JSON.stringify(ids)) continue
  found.sameIds++
  await sequence.clearHistory()
  const asked = ids.map((id, i) =>
    i >= ids.length - logprobs.length ? [id, { generateNext: { probabilities: true } }] : id,
  )
  const outputs = (await sequence.controlledEvaluate(asked)).slice(-logprobs.length)
  outputs.forEach((output, i) => {
    const expected = logprobs[i]
    const [first, second] = expected.toSorted((a, b) => b - a)
    let top = -1
    let topProbability = -1
    for (const [token, probability] of output.next.probabilities) {
      if (probability > topProbability) [top, topProbability] = [token, probability]
      if (expected[token] < unlikely) continue
      const difference = Math.abs(Math.log(probability) - expected[token])
      found.largestDifference = Math.max(found.largestDifference, difference)
      found.meanDifference += difference
      differences++
    }
    found.positions++

    if (top === expected.indexOf(first)) found.sameTop++
    else if (first - second < toleranceMax) found.nearTies++
  })
  await sequence.clearHistory()
  const reply = []
  for await (const token of sequence.evaluate(ids, { temperature: 0 })) {
    reply.push(token)
    if (reply.length >= greedy.length) break
  }
  if (JSON.stringify(reply) === JSON.stringify(greedy)) found.sameReplies++
}
found.meanDifference /= Math.max(1, differences)
console.log(JSON.stringify(found))
await llama.dispose()
const agreed =
  found.sameIds === found.prompts &&
  found.sameTop + found.nearTies === found.positions &&
  found.largestDifference <= toleranceMax &&
  found.meanDifference <= toleranceMean
process.exit(agreed ? 0 : 1)
