import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const packageFolder = join(root, 'node_modules/node-llama-cpp')

/**
 * Returns a folder with parts of the llama.cpp release that the engine uses: `models` holds real vocabularies and chat
 * templates, `src` the tokenizers. The first call extracts them from the package's git bundle in a few seconds. The
 * folder stays in `build`.
 */
function releaseFolder(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const folder = join(root, `build/llama-release-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(join(root, 'build'), { recursive: true })
  const clone = mkdtempSync(join(root, 'build/llama-cpp-'))
  try {
    const bundle = join(packageFolder, 'llama/gitRelease.bundle')
    execFileSync('git', ['clone', '--quiet', '--depth', '1', '--no-checkout', bundle, clone])
    execFileSync('git', ['-C', clone, 'checkout', '--quiet', 'HEAD', '--', 'models', 'src'])
    rmSync(join(clone, '.git'), { recursive: true })
    // Another test may have made the folder meanwhile.
    if (!existsSync(folder)) renameSync(clone, folder)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
  return folder
}

/** Returns the names of the release's vocabularies, such as `llama-bpe`. */
export function vocabularyNames(): string[] {
  const names = readdirSync(join(releaseFolder(), 'models')).map(
    (file) => /^ggml-vocab-(.+)\.gguf$/.exec(file)?.[1],
  )
  return names.filter((name) => name !== undefined).sort()
}

export function vocabularyPath(name: string): string {
  return join(releaseFolder(), `models/ggml-vocab-${name}.gguf`)
}

/** Returns the names of the release's chat templates, such as `openai-gpt-oss-120b`. */
export function templateNames(): string[] {
  const names = readdirSync(join(releaseFolder(), 'models/templates')).map(
    (file) => /^(.+)\.jinja$/.exec(file)?.[1],
  )
  return names.filter((name) => name !== undefined).sort()
}

/** Returns the source of a chat template. */
export function templateSource(name: string): string {
  return readFileSync(join(releaseFolder(), 'models/templates', `${name}.jinja`), 'utf8')
}

/** Returns the names that `tokenizer.ggml.pre` can have, such as `gpt-4o`. */
export function preTokenizerNames(): string[] {
  const source = readFileSync(join(releaseFolder(), 'src/llama-vocab.cpp'), 'utf8')
  const names = [...source.matchAll(/tokenizer_pre == "([^"]+)"/g)].map(([, name]) => name)
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}
