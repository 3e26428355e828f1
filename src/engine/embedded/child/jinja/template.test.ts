import { describe, expect, test } from 'vitest'
import { JinjaTemplate } from './template.ts'

const variables = {
  text: '  Grüße 👋 \n',
  words: ['b', 'A', 'c'],
  tool: { name: 'find', items: { type: 'string' }, fraction: 1.5, on: true, none: null },
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Ho' },
  ],
  mixed: [
    { role: 'user', n: 1 },
    { role: 'assistant', n: 2 },
    { role: 'User', n: 3 },
  ],
}

function rendered(source: string): string {
  return new JinjaTemplate(source).render(variables)
}

// Each line was compared with Jinja 3.1.6 in Python, with the options of Hugging Face's transformers.
describe('renders as Jinja in Python', () => {
  test.each([
    [
      '{{ words }} {{ tool }}',
      "['b', 'A', 'c'] {'name': 'find', 'items': {'type': 'string'}, 'fraction': 1.5, 'on': True, 'none': None}",
    ],
    [
      '{{ tool | tojson }}',
      '{"name": "find", "items": {"type": "string"}, "fraction": 1.5, "on": true, "none": null}',
    ],
    ['{{ words | tojson(indent=2) }}', '[\n  "b",\n  "A",\n  "c"\n]'],
    [
      "{{ tool | tojson(separators=(',', ':'), sort_keys=true) }}",
      '{"fraction":1.5,"items":{"type":"string"},"name":"find","none":null,"on":true}',
    ],
    ["{{ 'é\"' | tojson }} {{ 'é' | tojson(ensure_ascii=true) }}", '"é\\"" "\\u00e9"'],
    ["{{ \"it's\" ~ ['a\"b', \"it's\", '\\n'] }}", "it's['a\"b', \"it's\", '\\n']"],
    [
      '{{ none }} {{ true }} {{ missing }} {{ 1.0 }} {{ 1e20 }} {{ (1,) }}',
      'None True  1.0 1e+20 (1,)',
    ],
    [
      '{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 / 2 }} {{ -7 % 3 }} {{ 2 ** 3 }} {{ 1 + 2 * 3 }}',
      '3 -4 3.5 2 8 7',
    ],
    [
      "{{ 'ab' * 2 }} {{ [1] + [2] }} {{ '%s-%03d' is string }} {{ '%s and %s' % ('a', 1) }}",
      'abab [1, 2] True a and 1',
    ],
    [
      '{{ 1 < 2 < 3 }} {{ 1 == 1.0 }} {{ [1, 2] == [1, 2] }} {{ not 1 in [2] }} {{ 1 not in [2] }}',
      'True True True True True',
    ],
    [
      "{{ 'a' if false }}|{{ 'a' if true else 'b' }}|{{ missing or 'c' }}|{{ missing is defined }}",
      '|a|c|False',
    ],
    [
      "{{ text.strip() }}|{{ text | trim }}|{{ 'xxaxx'.strip('x') }}|{{ '\\n\\na'.lstrip('\\n') }}",
      'Grüße 👋|Grüße 👋|a|a',
    ],
    [
      "{{ 'a,b,c'.split(',', 1) }} {{ ' a  b '.split() }} {{ 'a,b,c'.rsplit(',', 1) }} {{ 'a=b'.partition('=') }}",
      "['a', 'b,c'] ['a', 'b'] ['a,b', 'c'] ('a', '=', 'b')",
    ],
    [
      "{{ 'a  b\tc d '.rsplit(none, 2) }} {{ ' a b'.rsplit(maxsplit=1) }} {{ ' a b '.split(none, 1) }}",
      "['a  b', 'c', 'd'] [' a', 'b'] ['a', 'b ']",
    ],
    [
      "{{ 'abc'[1] }} {{ 'abc'[-1] }} {{ 'abc'[1:] }} {{ 'abc'[::-1] }} {{ words[:2] }} {{ 'abcdef'[1:5:2] }}",
      "b c bc cba ['b', 'A'] bd",
    ],
    [
      "{{ text | length }} {{ text.find('👋') }} {{ 'hello world' | title }} {{ 'hELLO' | capitalize }}",
      '11 8 Hello World Hello',
    ],
    [
      `{{ 'sort_order' | title }} {{ "it's" | title }} {{ 'a-b (cD) <e' | title }} {{ "it's".title() }}`,
      "Sort_order It's A-B (Cd) <E It'S",
    ],
    [
      "{{ '{} {name} {{}}'.format(1, name='n') }} {{ ', '.join(words) }} {{ words | join('-') }}",
      '1 n {} b, A, c b-A-c',
    ],
    [
      '{{ words | sort }} {{ words | sort(reverse=true) }} {{ words | first }} {{ words | last }}',
      "['A', 'b', 'c'] ['c', 'b', 'A'] b c",
    ],
    [
      "{{ messages | map(attribute='role') | list }} {{ words | map('upper') | join }}",
      "['user', 'assistant'] BAC",
    ],
    [
      "{{ messages | selectattr('role', 'equalto', 'user') | list | length }} {{ messages | rejectattr('tool_calls') | list | length }}",
      '1 2',
    ],
    [
      "{{ words | select('in', ['A', 'b']) | list }} {{ [1, 2, 3, 4] | reject('odd') | list }} {{ [1, 2] | sum }}",
      "['b', 'A'] [2, 4] 3",
    ],
    [
      "{% for role, group in messages | groupby('role') %}{{ role }}{{ group | length }}{% endfor %}",
      'assistant1user1',
    ],
    [
      "{{ tool.items() | list | length }} {{ tool['items']['type'] }} {{ tool.get('x') }} {{ tool.get('x', 1) }}",
      '5 string None 1',
    ],
    [
      '{% for key, value in tool | dictsort %}{{ key }},{% endfor %}{% for key in tool %}{{ key[0] }}{% endfor %}',
      'fraction,items,name,none,on,nifon',
    ],
    [
      "{{ missing | default('a') }}{{ '' | default('b', true) }}{{ none | default('c') }}",
      'abNone',
    ],
    [
      "{{ tool.get('x', none) is none }} {{ missing | default(none) is none }} {{ [{'a': none}, {}] | map(attribute='a', default='d') | list }}",
      "True True [None, 'd']",
    ],
    [
      '{{ none is eq none }} {{ none is ne none }} {{ none is sameas none }} {{ [1, none].index(none) }}',
      'True False True 1',
    ],
    [
      "{{ ['a', 'b'] | join(none) }} {{ ' a ' | trim(none) }} {{ [2, 1, 2] | unique(false, none) | list }} {{ [1, 2] | sum(none) }}",
      'aNoneb a [2, 1] 3',
    ],
    [
      "{{ 4 is divisibleby 2 }} {{ 'a' is in 'abc' }} {{ 1 is sameas 1 }} {{ tool is mapping }} {{ 'a' is sequence }} {{ none is none }}",
      'True True True True True True',
    ],
    [
      "{{ '3' | int + 1 }} {{ 'x' | int(5) }} {{ 2.6 | round }} {{ 2.567 | round(2) }} {{ -3 | abs }}",
      '4 5 3.0 2.57 3',
    ],
    [
      "{{ 'a\\nb\\n\\nc' | indent(2) }}|{{ 'a\\nb' | indent(1, first=true) }}",
      'a\n  b\n\n  c| a\n b',
    ],
    ['{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set c %}x{{ a }}{% endset %}{{ c }}', '12x1'],
    [
      '{% set ns = namespace(n=0) %}{% for i in range(3) %}{% set ns.n = ns.n + i %}{% set x = i %}{% endfor %}{{ ns.n }}{{ x is defined }}',
      '3False',
    ],
    [
      '{% for i in range(5) if i != 2 %}{{ loop.index }}/{{ loop.length }}:{{ i }}{{ ";" if not loop.last }}{% endfor %}',
      '1/4:0;2/4:1;3/4:3;4/4:4',
    ],
    [
      '{% for i in [] %}a{% else %}none{% endfor %}{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}',
      'none013',
    ],
    [
      '{% for i in words %}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle("x", "y") }}{% endfor %}',
      'AxbcyAx',
    ],
    [
      '{% for n in [[1, [2]], 3] recursive %}{{ loop(n) if n is not number else n }}.{% endfor %}',
      '1.2...3.',
    ],
    [
      "{% macro m(a, b='d') %}{{ a }}{{ b }}{{ kwargs }}{{ varargs }}{% endmacro %}{{ m(1) }} {{ m(1, 2, 3, z=4) }}",
      "1d{}() 12{'z': 4}(3,)",
    ],
    [
      '{% macro box() %}[{{ caller(1) }}]{% endmacro %}{% call(x) box() %}in{{ x }}{% endcall %}',
      '[in1]',
    ],
    [
      '{% filter upper | trim %} a {% endfilter %}{% with a = 1 %}{{ a }}{% endwith %}{% raw %}{{ x }}{% endraw %}',
      'A1{{ x }}',
    ],
    ['a\n  {% if true %}\n  b\n  {%- endif %}\n{# c #}\nd\n', 'a\n  bd'],
    ['a  {%- if true -%}  b  {%- endif +%}\nc {{- 1 -}} d', 'ab\nc1d'],
    ["{{ 'a' 'b' }} {{ {'a': 1, 2: 'b'}[2] }} {{ {'a': {'b': [1, 2]}}.a.b[1] }}", 'ab b 2'],
    ["{{ '\\u00e9\\x41\\t' }}|{{ 'a\\\\n' }}", 'éA\t|a\\n'],
    [
      "{% for g in mixed | groupby('role') %}{{ g.grouper }}:{{ g.list | map(attribute='n') | join }};{% endfor %}{{ mixed | groupby('role') | map(attribute='grouper') | join }}",
      'assistant:2;user:13;assistantuser',
    ],
    [
      "{% for role, group in mixed | groupby('role', case_sensitive=true) %}{{ role }}:{{ group | length }};{% endfor %}",
      'User:1;assistant:1;user:1;',
    ],
    [
      "{{ [{'a': 1}, {}, {'a': 2}] | groupby('a', default=1) }} {{ mixed | groupby('zz', default='none') | map('first') | list }}",
      "[(1, [{'a': 1}, {}]), (2, [{'a': 2}])] ['none']",
    ],
    [
      "{{ 'abc'.rpartition('x') }} {{ 'abc'.partition('x') }} {{ 'a, b, c'.rpartition(', ') }}",
      "('', '', 'abc') ('abc', '', '') ('a, b', ', ', 'c')",
    ],
    [
      "{{ dict({'b': 1}, z=1) }} {{ dict([('a', 1)]) }} {{ dict({'b': 1}, b=2) }} {{ dict({1: 2}) }} {{ dict(a=1) }} {{ dict() }}",
      "{'b': 1, 'z': 1} {'a': 1} {'b': 2} {1: 2} {'a': 1} {}",
    ],
    [
      '{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}{% set a, (b, c) = 4, (5, 6) %}{{ a }}{{ b }}{{ c }}',
      '123456',
    ],
  ])('%s', (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe('on purpose not as Jinja in Python', () => {
  test.each([
    // A schema's member takes precedence over a method of the dict.
    ['{{ tool.items.type }}', 'string'],
    // A tool without a description must not be refused.
    ["{{ 'a' + missing }}{{ missing.name.more }}", 'a'],
    // Kimi's templates append to lists and take from them, which llama.cpp allows.
    ['{% set l = [] %}{% set _ = l.append(1) %}{{ l }}{{ l.pop(0) }}{{ l }}', '[1]1[]'],
  ])('%s', (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe('an error names the fault', () => {
  test.each([
    ["{{ raise_exception('No tools') }}", 'No tools'],
    ['{{ missing() }}', 'missing is a variable that is not set, not a function'],
    ['{{ 1 | unknown }}', 'the filter unknown is unknown'],
    ['{% include "x" %}', 'the tag include is not supported'],
    ['{% if true %}', 'expected elif or else or endif'],
    ['{{ 1 ', 'unexpected ""'],
  ])('%s', (source, message) => {
    expect(() => rendered(source)).toThrow(message)
  })
})

describe('a template cannot fill the memory (T22)', () => {
  const doubled = (value: string, times: number) =>
    `{% set ns = namespace(v=${value}) %}{% for i in range(${times}) %}{% set ns.v = ns.v + ns.v %}{% endfor %}`

  test.each([
    ["{{ 'a' * 1000000000 }}", 'a count of 1000000000 is too large'],
    ['{{ range(1000000000) | length }}', 'a count of 1000000000 is too large'],
    ["{{ 'a'.ljust(1000000000) }}", 'a count of 1000000000 is too large'],
    ["{{ (('a' * 50000) * 90) | length }}", 'the rendered prompt is too long'],
    [doubled("'a'", 24), 'the rendered prompt is too long'],
    [doubled('[1]', 18), 'a list is too long'],
    [doubled('(1, 2)', 18), 'a list is too long'],
    ["{% for i in range(90) %}{{ 'a' * 50000 }}{% endfor %}", 'the rendered prompt is too long'],
    ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'Maximum call stack size exceeded'],
  ])('%s', (source, message) => {
    expect(() => rendered(source)).toThrow(message)
  })
})

test('a long white space in a text is split from its end in linear time (T22)', () => {
  const spaces = "(' ' * 50000) * 10"
  expect(rendered(`{{ ('a' ~ ${spaces} ~ 'b c').rsplit(none, 1) | length }}`)).toBe('2')
})

test('a template reaches no object of the process (T22)', () => {
  expect(
    rendered(
      "{{ messages.constructor }}{{ ''.__proto__ }}{{ tool['constructor'] }}{{ raise_exception.constructor }}",
    ),
  ).toBe('')
})
