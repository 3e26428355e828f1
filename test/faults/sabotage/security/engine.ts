import type { Sabotage } from '../sabotage.ts'

const engines = 'test/contract/engines.test.ts'
const builder = 'src/engine/embedded/child/prompt/prompt-builder.test.ts'
const pieces = 'src/engine/embedded/child/prompt/prompt-pieces.ts'
const tokenizer = 'src/engine/embedded/native/model/tokenizer.cc'
const template = 'src/engine/embedded/child/jinja/template.test.ts'
const values = 'src/engine/embedded/child/jinja/values/values.ts'
const launcher = 'src/engine/embedded/native/sandbox/launcher.cc'
const sandbox = 'test/faults/sandbox.test.ts'

/** Sabotages of the line between texts of a caller and what the model or its template says. */
const promptSabotages: readonly Sabotage[] = [
  {
    id: 'T19',
    breaks: 'A request is refused only after its third crash.',
    file: 'src/engine/embedded/quarantine.ts',
    find: '>= strikesMax',
    replace: '> strikesMax',
    test: {
      file: 'src/engine/embedded/quarantine.test.ts',
      title: 'two strikes refuse a request, for ten minutes',
    },
  },
  {
    id: 'T20',
    breaks: 'Special tokens are found in the texts of callers.',
    file: pieces,
    find: 'const segments = isTemplate && pattern !== undefined ?',
    replace: 'const segments = pattern !== undefined ?',
    test: { file: builder, title: 'special tokens in a user message stay text' },
  },
  {
    id: 'T20',
    breaks: 'Control texts of callers, which the tokenizer finds in any text, stay whole.',
    file: pieces,
    find: 'const cuts = controlPattern === undefined ? [] : forgedAt(text, written, controlPattern)',
    replace: 'const cuts: number[] = []',
    test: { file: builder, title: 'control texts, which the tokenizer finds in any text' },
  },
  {
    id: 'T21',
    breaks: 'Special tokens of a reply appear as text.',
    file: tokenizer,
    find: 'if (!isSpecialToken(model, token)) texts[token] = tokenBytes(model.vocab(), token);',
    replace:
      'texts[token] = isSpecialToken(model, token) ? std::string(llama_vocab_get_text(model.vocab(), token)) : tokenBytes(model.vocab(), token);',
    test: { file: engines, title: 'never writes a special token as text' },
  },
  {
    id: 'T22',
    breaks: 'A template may make texts of any length.',
    file: values,
    find: 'if (text.length > textCharsMax)',
    replace: 'if (text.length > 1000 * textCharsMax)',
    test: { file: template, title: 'a template cannot fill the memory' },
  },
  {
    id: 'T22',
    breaks: 'A template may make lists of any length.',
    file: values,
    find: 'if (length > listItemsMax)',
    replace: 'if (length > 1000 * listItemsMax)',
    test: { file: template, title: 'a template cannot fill the memory' },
  },
  {
    id: 'T22',
    breaks: 'A template reads every member of an object.',
    file: 'src/engine/embedded/child/jinja/evaluate.ts',
    find: 'return isDict(object) && object.has(name) ? object.get(name) : methodOf(object, name)',
    replace:
      'return isDict(object) && object.has(name) ? object.get(name) : (methodOf(object, name) ?? String(Reflect.get(Object(object), name)))',
    test: { file: template, title: 'a template reaches no object of the process' },
  },
  {
    id: 'T34',
    breaks: 'A prompt is found in the KV cache of every scope.',
    file: 'src/engine/embedded/native/loop/prefix-cache.cc',
    find: 'if (!model_.canSharePrefixes() || cached.scope != generation.scope) return 0;',
    replace: 'if (!model_.canSharePrefixes()) return 0;',
    test: { file: engines, title: 'does not reuse the KV cache of another scope' },
  },
  {
    id: 'T34',
    breaks: 'All accounts share the KV cache.',
    file: 'src/completions/run-completion.ts',
    find: 'cacheScope: caller.accountId,',
    replace: "cacheScope: 'all',",
    test: {
      file: 'test/api/chat/cache-scope.test.ts',
      title: 'a prompt is found in the KV cache by its own account',
    },
  },
  {
    id: 'T34',
    breaks: 'All accounts have the same cache salt at an upstream.',
    file: 'src/engine/upstream/upstream-engine.ts',
    find: '.update(`cache salt ${request.cacheScope}`)',
    replace: ".update('cache salt')",
    test: {
      file: 'test/api/upstream/requests.test.ts',
      title: 'the cache salt is the same for an account only',
    },
  },
  {
    id: 'T35',
    breaks: 'The numbers with which a reply is sampled depend on the replies before it.',
    file: 'src/engine/embedded/native/sampling/sampler.cc',
    find: 'random_(sampling.seed),',
    replace: 'random_(sampling.seed + [] { static uint64_t count = 0; return count++; }()),',
    test: {
      file: engines,
      title: 'gives twice as many queued requests as it has slots the replies that each gets alone',
    },
  },
]

/** Sabotages of the sandbox of the engine process, and of the check of the model's file. */
const processSabotages: readonly Sabotage[] = [
  {
    id: 'T23',
    breaks: 'A model file with another checksum is loaded.',
    file: 'src/engine/embedded/child/model/load-model.ts',
    find: 'if (settings.modelSha256 !== undefined) await requireChecksum(settings)',
    replace: 'if (settings.modelSha256 === undefined) await requireChecksum(settings)',
    test: {
      file: 'test/faults/engine-model-files.test.ts',
      title: 'with another checksum than the pinned one',
    },
  },
  {
    id: 'T23',
    breaks: 'The engine process may read all files.',
    file: 'src/engine/embedded/sandbox/paths.ts',
    find: "  '/usr/lib',\n",
    replace: "  '/',\n  '/usr/lib',\n",
    test: {
      file: 'src/engine/embedded/sandbox/paths.test.ts',
      title: 'no folder that may hold the database is readable as a whole',
    },
  },
  {
    id: 'T23',
    breaks: 'The engine process may remove and rename files.',
    file: 'src/engine/embedded/native/sandbox/system-call-filter.cc',
    find: '    program.refuseAll(fileChanges);\n',
    replace: '    (void)fileChanges;\n',
    test: { file: sandbox, title: 'and changes no file, without Landlock too' },
  },
  {
    id: 'T23',
    breaks: 'The engine process may become another program.',
    file: 'src/engine/embedded/native/sandbox/system-call-filter.cc',
    find: '  program.refuseCall(SYS_execve, EPERM);\n',
    replace: '',
    test: { file: sandbox, title: 'cannot replace itself by another program' },
  },
  {
    id: 'T23',
    breaks: 'The filter of the addon holds for one thread of the engine process.',
    file: 'src/engine/embedded/native/sandbox/system-call-filter.cc',
    find: '  program.refuseCall(SYS_execveat, EPERM);\n  return program.install(true);\n',
    replace: '  program.refuseCall(SYS_execveat, EPERM);\n  return program.install(false);\n',
    test: { file: sandbox, title: 'every one of its threads has the filters' },
  },
  {
    id: 'T23',
    breaks: 'The engine process keeps the open files of the service.',
    file: launcher,
    find: '  closeInherited();\n  PathRules rules;\n',
    replace: '  (void)closeInherited;\n  PathRules rules;\n',
    test: { file: sandbox, title: 'and changes no file, without Landlock too' },
  },
  {
    id: 'T23',
    breaks: 'The engine process may write core dumps, which hold prompts.',
    file: launcher,
    find: '  if (!limitTo(RLIMIT_CORE, 0)) return false;\n',
    replace: '',
    test: { file: sandbox, title: 'writes no core dump and no file' },
  },
  {
    id: 'T38',
    breaks: 'The engine process keeps the capabilities of root.',
    file: launcher,
    find: '  dropCapabilities();\n',
    replace: '  (void)dropCapabilities;\n',
    test: { file: sandbox, title: 'can gain no privileges and filters its system calls' },
  },
  {
    id: 'T38',
    breaks: 'The engine process gets the whole environment, with its secrets.',
    file: 'src/engine/embedded/watched-child.ts',
    find: '      ...allocatorSettings,\n',
    replace: '      ...process.env,\n      ...allocatorSettings,\n',
    test: { file: sandbox, title: 'gets no environment but what it needs' },
  },
]

export const engineSabotages: readonly Sabotage[] = [...promptSabotages, ...processSabotages]
