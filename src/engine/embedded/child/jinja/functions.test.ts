import { describe, expect, test } from 'vitest'
import { JinjaTemplate } from './template.ts'

function rendered(source: string): string {
  return new JinjaTemplate(source).render({})
}

// Each line was compared with Jinja 3.1.6 in Python, with the options of Hugging Face's transformers.
describe('filters, methods and loops work as in Python', () => {
  test.each([
    [
      "{{ [[1], [2]] | sum(start=[]) }} {{ [1.5, 1.5] | sum }} {{ [1, 2] | sum(start=3) }} {{ [{'a': 1}, {'a': 2}] | sum('a') }} {{ [] | sum }} {{ [(1,)] | sum(start=()) }}",
      '[1, 2] 3.0 6 3 0 (1,)',
    ],
    [
      "{{ 3 * 'ab' }} {{ [0] * 3 }} {{ 2 * [1, 2] }} {{ (1, 2) * 2 }} {{ [1] * -1 }} {{ [1] * true }}",
      'ababab [0, 0, 0] [1, 2, 1, 2] (1, 2, 1, 2) [] [1]',
    ],
    [
      "{{ [1, 2, 3, 4, 5] | batch(2) | list }} {{ [1, 2, 3] | batch(2, 'x') | list }} {{ [] | batch(2) | list }}",
      "[[1, 2], [3, 4], [5]] [[1, 2], [3, 'x']] []",
    ],
    [
      "{{ [1, 2, 3, 4, 5] | slice(3) | list }} {{ [1, 2, 3, 4] | slice(3, 'x') | list }} {{ [1] | slice(2) | list }}",
      "[[1, 2], [3, 4], [5]] [[1, 2], [3, 'x'], [4, 'x']] [[1], []]",
    ],
    [
      "[{{ 'ab' | center(5) }}|{{ 'abc' | center(6) }}|{{ 'abcdef' | center(3) }}|{{ 'ab'.center(5, '*') }}|{{ '👋' | center(3) }}|{{ ('a' | center) | length }}]",
      '[  ab | abc  |abcdef|**ab*| 👋 |80]',
    ],
    [
      "{{ 'foo bar baz qux' | truncate(9) }} {{ 'foo bar baz qux' | truncate(9, true) }} {{ 'foo bar baz qux' | truncate(11) }} {{ 'foo bar baz qux' | truncate(11, false, '...', 0) }} {{ 'foobarbazquxfoobar' | truncate(9) }} {{ 'foo bar baz qux' | truncate(9, end='', leeway=0) }}",
      'foo... foo ba... foo bar baz qux foo bar... foobar... foo bar',
    ],
    [`{{ "it's a-b Grüße_x 12" | wordcount }} {{ '' | wordcount }}`, '6 0'],
    [
      '{% for x in [1, 1, 2, 2, 1] %}{% if loop.changed(x) %}{{ x }}{% endif %}{% endfor %} {% for x in [1, 2] %}{% for y in [1, 1] %}{{ loop.changed(x, y) }}{% endfor %}{% endfor %} {% for x in [1, 2] %}{{ loop.changed() }}{% endfor %}',
      '121 TrueFalseTrueFalse TrueFalse',
    ],
    [
      "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.current }}",
      'ababNonea',
    ],
    [
      "{{ 'a\\r\\nb\\r\\n'.splitlines() }} {{ ''.splitlines() }} {{ '\\n'.splitlines() }} {{ 'a\\n\\nb\\rc'.splitlines() }} {{ 'a\\r\\nb\\n'.splitlines(true) }} {{ 'a\\x0bb\\x1cc\\u2028d'.splitlines() }} {{ '\\r\\n\\r\\n'.splitlines(keepends=true) }}",
      "['a', 'b'] [] [''] ['a', '', 'b', 'c'] ['a\\r\\n', 'b\\n'] ['a', 'b', 'c', 'd'] ['\\r\\n', '\\r\\n']",
    ],
    [
      "{{ 'abcabc'.startswith('abc', 3) }} {{ 'abc'.startswith('a', 1) }} {{ 'abc'.endswith('b', 0, 2) }} {{ 'abc'.startswith('', 4) }} {{ 'abc'.startswith(('x', 'b'), 1) }} {{ '👋ab'.startswith('a', 1) }} {{ 'abc'.startswith('c', -1) }}",
      'True False True False True True True',
    ],
    [
      "{{ 'abcabc'.find('a', 1) }} {{ 'abcabc'.find('b', 5) }} {{ 'abcabc'.rfind('a', 0, 3) }} {{ 'abcabc'.index('c', 3) }} {{ 'aaa'.count('a', 1) }} {{ 'abc'.find('', 5) }} {{ 'abc'.find('', 3) }} {{ '👋b👋b'.find('b', 2) }} {{ 'abc'.count('') }} {{ 'abcabc'.find('a', -3) }} {{ 'abcabc'.find('a', none, 3) }} {{ 'abcabc'.rfind('b', -3) }}",
      '3 -1 0 5 2 -1 3 3 4 3 0 4',
    ],
    ['{% raw %}\n{{ x }}\n{% endraw %}\nb', '\n{{ x }}\nb'],
    ['a\n  {% raw %}\n  x\n  {% endraw %}\n  b', 'a\n\n  x\n  b'],
    ['a\n{% raw -%}\n  x\n  {%- endraw -%}\n  b', 'a\nxb'],
    ['a{% raw %}  {% endraw %}\nb{% raw %}\n\n  {% endraw +%}\nc', 'a  b\n\n\nc'],
    ['{% raw %}\n  {%+ endraw %}\nc', '\n  c'],
  ])('%s', (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe('an error names the fault of a call', () => {
  test.each([
    ["{{ ['a'] | sum }}", '+ is not possible with a number and a text'],
    ['{{ [1] * [1] }}', '* is not possible with a list and a list'],
    ['{{ [1] | batch(0) }}', 'the argument linecount must be above 0'],
    ['{{ [1] | slice(0) }}', 'the argument slices must be above 0'],
    ["{{ 'abc' | truncate(2) }}", 'a length of 2 is below that of the end'],
    ["{{ 'a'.center(5, 'xy') }}", 'fillchar must be one character'],
    ["{{ 'abc'.index('a', 1) }}", 'the text does not contain the other'],
    ['{{ cycler() }}', 'a cycler needs items'],
    ['{{ dict([(1, 2, 3)]) }}', 'a dict needs pairs, not 3 items'],
  ])('%s', (source, message) => {
    expect(() => rendered(source)).toThrow(message)
  })
})

describe('a call cannot fill the memory (T22)', () => {
  test.each([
    ['{{ [0] * 1000000000 }}', 'a count of 1000000000 is too large'],
    ['{{ ([0, 1] * 50001) | length }}', 'a list is too long'],
    ['{{ (50001 * (0, 1)) | length }}', 'a list is too long'],
    ['{{ [range(60000), range(60000)] | sum(start=[]) | length }}', 'a list is too long'],
    ["{{ [1] | batch(1000000000, 'x') }}", 'a count of 1000000000 is too large'],
    ['{{ [1] | slice(1000000000) }}', 'a count of 1000000000 is too large'],
    ["{{ 'a' | center(1000000000) }}", 'a count of 1000000000 is too large'],
  ])('%s', (source, message) => {
    expect(() => rendered(source)).toThrow(message)
  })
})
