// Loads an addon and a model, generates greedily, and prints the tokens as JSON. Runs alone, because
// an emulated Node of another processor cannot start processes of its own.
//
//   node generate-tokens.mjs ADDON LIBRARIES MODEL PROMPT TOKENS
const [addonPath, librariesPath, modelPath, text, tokensMax] = process.argv.slice(2)
const kinds = { token: 0, stop: 2, length: 3, failed: 5 }

const module = { exports: {} }
process.dlopen(module, addonPath)
const addon = module.exports
addon.loadBackends(librariesPath, undefined)
const settings = {
  modelPath,
  slots: 1,
  contextTokens: 256,
  kvType: 'f16',
  threads: 1,
  prefillChunkTokens: 64,
  cachedTokensMax: 0,
  checkpointBytesMax: 0,
  speculativeTokensMax: 0,
  arithmetic: 'best',
}
const tokens = []
const ended = Promise.withResolvers()
const engine = new addon.NativeEngine(settings, (events) => {
  for (let index = 0; index < events.length; index += 4) {
    const kind = events[index + 1]
    if (kind === kinds.token) tokens.push(events[index + 2])
    else if (kind === kinds.stop || kind === kinds.length) ended.resolve()
    else if (kind === kinds.failed) ended.reject(new Error('the generation failed'))
  }
})
const { arithmetic } = await engine.load()
const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
const prompt = Int32Array.from(text.split(/(<\|\w+\|>)/).flatMap(tokensOf))
const request = { id: 1, prompt, replies: new Int32Array(0), maxTokens: Number(tokensMax) }
engine.submit({ ...request, sampling, cacheScope: '' })
await ended.promise
await engine.close()
console.log(JSON.stringify({ llamaBuild: addon.llamaBuild(), arithmetic, tokens }))

/** Tokenises a text. The name of a special token becomes that token. */
function tokensOf(part) {
  const special = Object.entries(engine.vocabulary().specialTexts).find(([, name]) => name === part)
  return special === undefined ? [...engine.tokenize(part)] : [Number(special[0])]
}
