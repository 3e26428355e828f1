import { describe, expect, test } from 'vitest'
import { JinjaTemplate } from './template.ts'

function rendered(source: string): string {
  return new JinjaTemplate(source).render({})
}

// Each line was compared with Jinja 3.1.6 in Python.
describe('formats as Python', () => {
  test.each([
    [
      "{{ '%02d:%02d' | format(5, 7) }} {{ '%s=%5.1f' | format('a', 2.25) }} {{ '%i' % 5 }} {{ '%x' % 255 }} {{ '%r' | format('a') }}",
      "05:07 a=  2.2 5 ff 'a'",
    ],
    [
      "{{ '%5d|%-5d|%+d|% d|%05d|%-05d|%.3d|%x|%#X|%#06x|%o' % (42, 42, 42, 42, -42, 42, 5, -255, 255, 255, 8) }}",
      '   42|42   |+42| 42|-0042|42   |005|-ff|0XFF|0x00ff|10',
    ],
    [
      "{{ '%5s|%-5s|%.2s|%05s|%5r|%c|%c|%%' % ('a', 'b', 'cde', 'f', 'g', 104, 'i') }}",
      "    a|b    |cd|    f|  'g'|h|i|%",
    ],
    [
      "{{ '%f|%.0f|%.0f|%8.3f|%+.1f|%08.2f|%e|%.2E|%g|%g|%g|%G|%#g|%#.0f' % (1.5, 0.5, 2.5, 3.14159, 2, -1.005, 12345.678, 0, 100000, 1000000, 0.00001, 1e-10, 1, 3) }}",
      '1.500000|0|2|   3.142|+2.0|-0001.00|1.234568e+04|0.00E+00|100000|1e+06|1e-05|1E-10|1.00000|3.',
    ],
    [
      "{{ '%.2f|%.1f|%.20f|%.3f|%d|%d|%s|%s|%s' % (2.675, 0.25, 0.1, 1e22, 3.9, true, true, none, [1, 'a']) }}",
      "2.67|0.2|0.10000000000000000555|10000000000000000000000.000|3|1|True|None|[1, 'a']",
    ],
    [
      "{{ '%(a)s-%(b)03d' | format(a=1, b=2) }} {{ '%(a)s' % {'a': 'x', 'b': 1} }} {{ 'none' % {'b': 1} }} {{ '%s' % {'b': 1} }} {{ '%s' % [1] }}",
      "1-002 x none {'b': 1} [1]",
    ],
    [
      "{{ '{:>5}|{:.1f}'.format('a', 2.25) }} {{ '{0!r}'.format('a') }} {{ '{!s:>4}|{a:<4}|{a:^5}|{a:*^5}'.format('x', a='y') }}",
      "    a|2.2 'a'    x|y   |  y  |**y**",
    ],
    [
      "{{ '{:5}|{:<5}|{:^6}|{:05}|{:+}|{: }|{:=+5}|{:x}|{:#x}|{:#b}|{:X}|{:c}|{:,}|{:_}|{:%}|{:.1%}'.format(42, 42, 42, -42, 42, 42, 42, 255, 255, 5, 255, 65, 1234567, 1234567, 0.256, 0.256) }}",
      '   42|42   |  42  |-0042|+42| 42|+  42|ff|0xff|0b101|FF|A|1,234,567|1_234_567|25.600000%|25.6%',
    ],
    [
      "{{ '{:5}|{:.3}|{:.3}|{:.1}|{:.4}|{:g}|{:e}|{:,.2f}|{:,}|{:10.2f}|{:010.2f}|{:f}'.format(1.5, 2.0, 1234.5, 2.0, 0.00001234, 0.1, 12.5, 12345.678, 1234.5, 3.14159, -3.14159, 3) }}",
      '  1.5|2.0|1.23e+03|2e+00|1.234e-05|0.1|1.250000e+01|12,345.68|1,234.5|      3.14|-000003.14|3.000000',
    ],
    [
      "{{ '{:5}|{:.2}|{:05}|{:s}|{:>3}|{:d}|{}|{}|{}'.format('ab', 'abc', 'a', 'b', true, true, true, none, [1]) }}",
      'ab   |ab|a0000|b|  1|1|True|None|[1]',
    ],
    [
      "{{ '{1} {0} {1}'.format('a', 'b') }} {{ '{}{{}}{x}'.format(1, x=2) }} {{ '{:,}|{:,}|{:,}'.format(1, 123, -1234) }} {{ '{:👋>4}|{:>4}'.format('a', '👋') }}",
      'b a b 1{}2 1|123|-1,234 👋👋👋a|   👋',
    ],
    [
      "{{ '%4s|%.1s' % ('👋', '👋a') }} {{ '%.3g|%g|%g' % (999.9, 1e100, 123456789) }} {{ '{:.0f}'.format(9.5) }} {{ '{:.0e}'.format(9.5) }} {{ '{:.17g}'.format(0.1) }} {{ '{:.25g}'.format(1e23) }}",
      '   👋|👋 1e+03|1e+100|1.23457e+08 10 1e+01 0.10000000000000001 99999999999999991611392',
    ],
  ])('%s', (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe('an error names the fault of a format', () => {
  test.each([
    ["{{ '%s %s' % 'a' }}", 'the format has too few values'],
    ["{{ '%s' | format('a', 'b') }}", 'the format has too many values'],
    ["{{ '%(b)s' | format(a=1) }}", 'the format has no value b'],
    ["{{ '%d' % 'a' }}", 'the format d is not possible with a text'],
    ["{{ '%*d' % (5, 1) }}", 'the format % is not supported'],
    ["{{ '100%' % () }}", 'the format % is not supported'],
    ["{{ '{} {}'.format(1) }}", 'the format has no value 1'],
    ["{{ '{a}'.format(b=1) }}", 'the format has no value a'],
    ["{{ '{:d}'.format('a') }}", 'the format d is not possible with a text'],
    ["{{ '{:5}'.format(none) }}", 'the format 5 is not possible with a None'],
    ["{{ '{:y}'.format(1) }}", 'the format y is not possible with a number'],
    ["{{ '{a.b}'.format(a=1) }}", 'a placeholder of the format is not supported'],
    ["{{ '{'.format(1) }}", 'a placeholder of the format is not supported'],
  ])('%s', (source, message) => {
    expect(() => rendered(source)).toThrow(message)
  })
})

describe('a format cannot fill the memory (T22)', () => {
  test.each([
    ["{{ '%1000000000d' % 1 }}", 'a count of 1000000000 is too large'],
    ["{{ '%.1000000000f' % 1 }}", 'a count of 1000000000 is too large'],
    ["{{ '%.1000f' % 1 }}", 'a precision of 1000 is too large'],
    ["{{ '{:1000000000}'.format(1) }}", 'a count of 1000000000 is too large'],
    ["{{ ('{0:99999}' * 90).format(1) | length }}", 'the rendered prompt is too long'],
    ["{{ ('%(a)99999s' * 90) | format(a=1) | length }}", 'the rendered prompt is too long'],
  ])('%s', (source, message) => {
    expect(() => rendered(source)).toThrow(message)
  })
})
