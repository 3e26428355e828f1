import { dirname, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withoutExceptions } from './check-tidy.ts'
import { folderPairs } from './folder-pairs.ts'
import { readSource } from './read-sources.ts'
import {
  fullFolders,
  longFiles,
  longFunctions,
  openingFragments,
  riddles,
  unnumberedTodos,
  type Finding,
} from './rules.ts'
import type { Source } from './source.ts'

const lines = (count: number, line: string) => `${line}\n`.repeat(count)
const where = (findings: readonly Finding[]) =>
  findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`)
const check = (rule: (sources: Source[]) => Finding[], files: Record<string, string>) =>
  where(rule(Object.entries(files).map(([path, text]) => readSource(path, text))))

test.each([
  ['a.cc', 2, '#include "a.h"\nvoid Loop::run(int count) const {\n', "  step('{');", '}\n'],
  ['a.cc', 2, '\nLoop::Loop(int size) : slots_{size}, count_(0) {\n', '  step("}");', '}\n'],
  ['a.h', 2, '\nnamespace pipit { struct Loop { int run() {\n', '  step(); // }', '} }; }\n'],
])(
  'a function of C++ over 70 lines is reported: %s, line %i: %j',
  (path, functionLine, head, line, tail) => {
    expect(check(longFunctions, { [path]: head + lines(66, line) + tail })).toEqual([])
    expect(check(longFunctions, { [path]: head + lines(71, line) + tail })).toEqual([
      `${path}:${functionLine} long-function`,
    ])
  },
)

test('a file over 400 lines is reported', () => {
  expect(check(longFiles, { 'a.ts': lines(400, 'step()') })).toEqual([])
  expect(check(longFiles, { 'a.py': lines(401, 'step()') })).toEqual(['a.py:1 long-file'])
})

test('a folder over 12 source files is reported; tests and the header of a source file do not count', () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, file) => [`src/${file}.cc`, '']))
  expect(check(fullFolders, { ...files, 'src/1.h': '', 'src/a.test.ts': '' })).toEqual([])
  expect(check(fullFolders, { ...files, 'src/a.ts': '' })).toEqual(['src:1 full-folder'])
})

describe('folders that import each other are reported', () => {
  test.each([
    {
      what: 'two side by side, without a cycle of files',
      imports: ['src/a/one.ts src/b/two.ts', 'src/b/deep/three.ts src/a/four.ts'],
      found: ['src/a/one.ts:1 folder-pair'],
    },
    {
      what: 'a folder whose file leads back into the subfolder that needs it',
      imports: ['src/a/one.ts src/access.ts', 'src/access.ts src/a/two.ts'],
      found: ['src/access.ts:1 folder-pair'],
    },
    {
      what: 'the same by way of another file',
      imports: [
        'src/a/one.ts src/operation.ts',
        'src/operation.ts src/access.ts',
        'src/access.ts src/a/two.ts',
      ],
      found: ['src/access.ts:1 folder-pair'],
    },
    {
      what: 'but not a folder with one file above its subfolder, and another below',
      imports: ['src/table.ts src/a/one.ts', 'src/a/one.ts src/types.ts'],
      found: [],
    },
    {
      what: 'but not folders of the root, nor tests',
      imports: [
        'tools/one.ts test/two.ts',
        'test/three.ts tools/four.ts',
        'src/a/one.ts src/b/two.ts',
        'src/b/two.test.ts src/a/one.ts',
      ],
      found: [],
    },
  ])('$what', ({ imports, found }) => {
    const files = imports.map((line): [string, string] => {
      const [from = '', to = ''] = line.split(' ')
      return [from, `import type { A } from './${relative(dirname(from), to)}'`]
    })
    expect(check(folderPairs, Object.fromEntries(files))).toEqual(found)
  })

  test.each([
    "import { a } from '../b/two.ts'",
    "export { a } from '../b/two.ts'",
    "const { a } = await import('../b/two.ts')",
  ])('by %s', (text) => {
    const back = "import '../a/one.ts'"
    expect(check(folderPairs, { 'src/a/one.ts': text, 'src/b/two.ts': back })).toHaveLength(1)
  })
})

describe('a comment that opens with a fragment is reported', () => {
  test.each([
    ['a.ts', '\n/** Whether the slot is free. */\nconst a = 1', 2],
    ['a.ts', '\n/**\n * How many slots are free.\n */\nconst a = 1', 3],
    ['a.tsx', 'const a = 1 // of one slot', 1],
    ['a.ts', '// Joins lines.\n// As long as they follow.\n\n// What is next?', 4],
    ['a.cc', 'int a; /* Who waits. */', 1],
    ['a.h', '\n// Nobody waits.', 2],
    ['a.py', '"""Undefined words."""', 1],
    ['a.py', 'def run():\n    """Of all words."""', 2],
    ['a.py', 'a = "# Of"  # As it was', 1],
  ])('%s: %j', (path, text, line) => {
    expect(check(openingFragments, { [path]: text })).toEqual([`${path}:${line} comment-fragment`])
  })

  test('but not text that is no comment', () => {
    const files = {
      'a.ts': "const a = '// Of'; const b = `/* What */`; /** Offers whatever it has. */",
      'a.cc': 'auto a = R"x(// Of)x"; int b = 1\'000; auto c = "/* Who";',
      'a.py': 'a = "What"\nrun("""Of\n# Who\n""")',
    }
    expect(check(openingFragments, files)).toEqual([])
  })
})

test('a comment, a test title or an error text with a pronoun in place of its subject is reported', () => {
  const text = '// Joins the lines\n// for Somebody else.\nconst nobody = 1'
  expect(check(riddles, { 'a.ts': text, 'a.cc': '// for whoever waits', 'a.py': '' })).toEqual([
    'a.ts:2 riddle',
    'a.cc:1 riddle',
  ])
  const texts = [
    "test('serves X', () => {})",
    "test.each([1])(\n  'serves X', () => {})",
    "throw new ServiceError('invalid_value', `Ask X.`)",
    "read('X')",
  ]
  expect(check(riddles, { 'a.ts': texts.join('\n').replaceAll('X', 'nobody') })).toEqual([
    'a.ts:1 riddle',
    'a.ts:3 riddle',
    'a.ts:4 riddle',
  ])
})

test('a TODO without the number of an issue is reported', () => {
  const text = '// TODO(#12): split it.\n\n// TODO: split it.\n'
  expect(check(unnumberedTodos, { 'a.ts': text, 'a.py': '# FIXME later' })).toEqual([
    'a.ts:3 todo-number',
    'a.py:1 todo-number',
  ])
})

test('an exception silences one rule in one file, and is reported once nothing needs it', () => {
  const finding = { rule: 'long-file', path: 'a.ts', line: 1, text: 'Split it.' }
  const exception = { rule: 'long-file', path: 'a.ts', reason: 'a table' }
  expect(withoutExceptions([finding], [])).toEqual(['a.ts:1 long-file: Split it.'])
  expect(withoutExceptions([finding], [exception])).toEqual([])
  expect(withoutExceptions([{ ...finding, rule: 'todo-number' }], [exception])).toHaveLength(2)
  expect(withoutExceptions([], [exception])).toEqual([
    expect.stringContaining('a.ts keeps the rule long-file now'),
  ])
})
