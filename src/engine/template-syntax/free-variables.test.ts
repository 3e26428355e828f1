import { describe, expect, test } from 'vitest'
import { freeVariablesOf } from './free-variables.ts'

describe('finds the variables that a template reads', () => {
  test.each([
    ['a name', '{{ persona }}', ['persona']],
    ['a name without its members', '{{ tool.name }}{{ tool["type"] }}', ['tool']],
    ['no keyword and no constant', '{% if not a and none is none in b %}{% endif %}', ['a', 'b']],
    ['no text', '{{ \'persona\' ~ "tools" }}', []],
    ['no function of all templates', '{{ strftime_now("%Y") ~ range(count) }}', ['count']],
    [
      'no name of a filter, a test or an argument',
      '{{ a | join(sep=b) is foo(c) }}',
      ['a', 'b', 'c'],
    ],
    ['a key of a dict and its value', '{{ {a: b, "c": d} }}', ['a', 'b', 'd']],
    ['bounds of a slice', '{{ a[b:c:d] }}', ['a', 'b', 'c', 'd']],
    [
      'both sides of conditions',
      '{{ a if b else c }}{{ d < e <= f }}',
      ['b', 'a', 'c', 'd', 'e', 'f'],
    ],
  ])('%s', (_, template, names) => {
    expect(freeVariablesOf(template)).toEqual(names)
  })
})

describe('leaves out names that the template has set', () => {
  test.each([
    ['by set', '{% set a = b %}{{ a }}', ['b']],
    ['by a set block', '{% set a | replace(b, "") %}{{ c }}{% endset %}{{ a }}', ['c', 'b']],
    ['as a namespace', '{% set ns = namespace(a=b) %}{% set ns.a = c %}{{ ns.a }}', ['b', 'c']],
    [
      'in a loop',
      '{% for k, v in d if v %}{{ k ~ loop.index }}{% else %}{{ v }}{% endfor %}',
      ['d', 'v'],
    ],
    ['in a loop, not after it', '{% for a in b %}{% set c = a %}{% endfor %}{{ c }}', ['b', 'c']],
    [
      'as a macro and its parameters',
      '{% macro m(a, b=c) %}{{ a ~ b ~ kwargs }}{% endmacro %}{{ m(d) }}',
      ['d', 'c'],
    ],
    [
      'after the macro that reads them',
      '{% macro m() %}{{ a ~ b }}{% endmacro %}{% set a = 1 %}{{ m() }}',
      ['b'],
    ],
    [
      'as parameters of a call block',
      '{% call(a) b(c) %}{{ a ~ d }}{% endcall %}',
      ['b', 'c', 'd'],
    ],
    ['in with', '{% with a = b %}{{ a }}{% endwith %}{{ a }}', ['b', 'a']],
    [
      'in each branch',
      '{% if a %}{% set b = 1 %}{% else %}{% set b = 2 %}{% endif %}{{ b }}',
      ['a'],
    ],
  ])('%s', (_, template, names) => {
    expect(freeVariablesOf(template)).toEqual(names)
  })
})

describe('keeps a name that the template sets only where it is missing', () => {
  test.each([
    '{% if a is not defined %}{% set a = none %}{% endif %}{{ a }}',
    '{% set a = a | default(true) %}{{ a }}',
    '{% if true %}{% set a = 1 %}{% endif %}{{ a }}',
  ])('%s', (template) => {
    expect(freeVariablesOf(template)).toEqual(['a'])
  })
})
