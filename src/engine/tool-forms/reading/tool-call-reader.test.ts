import { expect, test, vi } from 'vitest'
import { type ToolFormName, toolFormOf } from '../detect-tool-form.ts'
import { ToolCallReader } from './tool-call-reader.ts'

const parameters = JSON.stringify({
  type: 'object',
  properties: {
    text: { type: 'string' },
    maybe: { type: ['string', 'null'] },
    count: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    unit: { $ref: '#/$defs/unit' },
    list: { type: 'array' },
    object: { type: 'object' },
    on: { type: 'boolean' },
    free: {},
    anchored: { $ref: '#city' },
    named: { $ref: 'https://example.com/city' },
    step: { type: ['string', 'integer'] },
    few: { anyOf: [{ type: 'integer', maximum: 9 }, { type: 'string' }] },
    pair: { anyOf: [{ type: 'object', required: ['a'] }, { type: 'string' }] },
  },
  patternProperties: { '^s_': { type: 'string' } },
  oneOf: [
    { required: ['text'], properties: { other: { type: 'string' } } },
    { properties: { text: false, other: { enum: ['no'] } } },
  ],
  $defs: {
    unit: { enum: ['7', 'm'] },
    city: { $id: 'https://example.com/city', type: 'string' },
    anchor: { $anchor: 'city', type: 'string' },
  },
})
/** Reads a reply in pieces, and returns its text, its calls and whether it ended with a call. */
function read(
  form: ToolFormName,
  reply: string,
  size: number,
  schema: string = parameters,
): [string, unknown[], boolean] {
  const tools = [{ name: 'do_it', description: undefined, parameters: schema }]
  const reader = new ToolCallReader(toolFormOf(form), tools)
  let content = ''
  const texts: string[] = []
  const pieces = reply.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
  for (const { text, calls } of [...pieces.map((piece) => reader.push(piece)), reader.finish()]) {
    content += text
    for (const delta of calls)
      if (delta.type === 'call') texts.push('')
      else texts[delta.call] += delta.text
  }
  return [content, texts, reader.hasCalled]
}

const parameter = (name: string, value: string): string =>
  `<parameter=${name}>\n${value}\n</parameter>\n`
const xml = (...values: string[]): string =>
  `<tool_call>\n<function=do_it>\n${values.join('')}</function>\n</tool_call>`

test.each([
  ['a string that looks like a number', xml(parameter('text', '12')), '{"text": "12"}'],
  [
    'a string with line breaks',
    xml(parameter('text', 'a\n\n"b"\\')),
    '{"text": "a\\n\\n\\"b\\"\\\\"}',
  ],
  [
    'a string with tags',
    xml(parameter('text', '</x>\n</parameter')),
    '{"text": "</x>\\n</parameter"}',
  ],
  ['an empty string', xml(parameter('text', '')), '{"text": ""}'],
  ['null', xml(parameter('maybe', 'null')), '{"maybe": null}'],
  ['a number where only a string fits', xml(parameter('maybe', '5')), '{"maybe": "5"}'],
  ['a number where both fit', xml(parameter('count', '5')), '{"count": 5}'],
  ['a text where both fit', xml(parameter('count', 'five')), '{"count": "five"}'],
  ['a listed string', xml(parameter('unit', '7')), '{"unit": "7"}'],
  [
    'a list and a boolean',
    xml(parameter('list', '[1, {"a": "}"}]'), parameter('on', 'true')),
    '{"list": [1, {"a": "}"}], "on": true}',
  ],
  ['an object in a free value', xml(parameter('free', '{"a": 1}')), '{"free": {"a": 1}}'],
  ['a string by $anchor', xml(parameter('anchored', '{1')), '{"anchored": "{1"}'],
  ['a string by $id', xml(parameter('named', '12')), '{"named": "12"}'],
  ['a string by pattern', xml(parameter('s_a', '12')), '{"s_a": "12"}'],
  ['a string by the branches of oneOf', xml(parameter('other', '12')), '{"other": "12"}'],
  ['a number where integers and strings fit', xml(parameter('step', '3.10')), '{"step": "3.10"}'],
  ['an integer where integers and strings fit', xml(parameter('step', '3')), '{"step": 3}'],
  ['an integer out of range', xml(parameter('few', '12')), '{"few": "12"}'],
  ['an object that lacks a name', xml(parameter('pair', '{"b": 1}')), '{"pair": "{\\"b\\": 1}"}'],
  ['an object where strings fit', xml(parameter('pair', '{"a": 1}')), '{"pair": {"a": 1}}'],
  ['no argument', xml(), '{}'],
])('arguments between tags become JSON by the schema: %s', (_, reply, json) => {
  for (const size of [1, 4, 1000])
    expect(read('functionXml', reply, size)).toEqual(['', [json], true])
})

const string = { type: 'string' }
const words = { type: 'string', pattern: '^[\\p{L}\\p{N}]+$' }
const kindOf = (kind: string, v: object) => ({
  type: 'object',
  properties: { kind: { const: kind }, v },
  required: ['kind', 'v'],
  additionalProperties: false,
})

test.each([
  [
    'the only alternative that has it says so',
    {
      type: 'object',
      anyOf: [
        { properties: { id: string }, required: ['id'] },
        { properties: { name: string }, required: ['name'] },
      ],
    },
    xml(parameter('id', '42')),
    '{"id": "42"}',
  ],
  [
    'a condition says so',
    {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] } },
      required: ['kind'],
      if: { properties: { kind: { const: 'a' } } },
      // eslint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
      then: { properties: { code: string } },
    },
    xml(parameter('kind', 'a'), parameter('code', '12')),
    '{"kind": "a", "code": "12"}',
  ],
  [
    'an earlier argument chose the alternative',
    { oneOf: [kindOf('a', string), kindOf('b', { type: 'integer' })] },
    xml(parameter('kind', 'a'), parameter('v', '5')),
    '{"kind": "a", "v": "5"}',
  ],
  [
    'its pattern takes much work to read',
    { type: 'object', properties: { sku: words, zip: string }, required: ['sku', 'zip'] },
    xml(parameter('sku', '12345'), parameter('zip', '90210')),
    '{"sku": "12345", "zip": "90210"}',
  ],
])('an argument that looks like a number is a string where %s', (_, schema, reply, json) => {
  for (const size of [1, 4, 1000])
    expect(read('functionXml', reply, size, JSON.stringify(schema))).toEqual(['', [json], true])
})

test('an earlier argument chooses an alternative with numbers, too', () => {
  const schema = { oneOf: [kindOf('a', string), kindOf('b', { type: 'integer' })] }
  const reply = xml(parameter('kind', 'b'), parameter('v', '5'))
  const seen = read('functionXml', reply, 1000, JSON.stringify(schema))
  expect(seen).toEqual(['', ['{"kind": "b", "v": 5}'], true])
})

const mark = '{"a": ["</parameter>", "</arg_value>"]}'

test.each([
  [
    'seed',
    `<seed:tool_call>\n<function=do_it>\n<parameter=object>${mark}</parameter>\n</function>\n</seed:tool_call>`,
  ],
  [
    'glm',
    `<tool_call>do_it\n<arg_key>object</arg_key>\n<arg_value>${mark}</arg_value>\n</tool_call>`,
  ],
  [
    'deepseekV32',
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="do_it">\n<｜DSML｜parameter name="object" string="false">${mark.replace('</', '</｜DSML｜')}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  ],
] as const)('a mark within a JSON value is no end of it: %s', (form, reply) => {
  const json = `{"object": ${form === 'deepseekV32' ? mark.replace('</', '</｜DSML｜') : mark}}`
  for (const size of [1, 4, 1000]) expect(read(form, reply, size)).toEqual(['', [json], true])
})

const minicpm = (name: string, value: string): string =>
  `<function name="do_it"><param name="${name}">${value}</param></function>`

test.each([
  ['a string', minicpm('text', 'a & b'), '{"text": "a & b"}'],
  [
    'a string with tags',
    minicpm('text', '<![CDATA[<a>\n</param> ]]]]>'),
    '{"text": "<a>\\n</param> ]]"}',
  ],
  ['a string where others fit', minicpm('free', '<![CDATA[<]]>'), '{"free": "<"}'],
  ['a boolean of Python', minicpm('on', 'True'), '{"on": true}'],
  ['a list of Python', minicpm('list', `['a', {"b": None}]`), '{"list": ["a", {"b": null}]}'],
  ['a word of Python where a string fits', minicpm('maybe', 'None'), '{"maybe": null}'],
  ['a text that looks like Python', minicpm('text', "['a']"), '{"text": "[\'a\']"}'],
])('strings with markup are read to the end of their mark: %s', (_, reply, json) => {
  for (const size of [1, 4, 1000]) expect(read('minicpm5', reply, size)).toEqual(['', [json], true])
})

test.each([
  ['a string', 'text="a \\"b\\", c)"', '{"text": "a \\"b\\", c)"}'],
  ['a string in single quotes', `text='a "b" \\'c\\')\n'`, `{"text": "a \\"b\\" 'c')\\n"}`],
  [
    'escapes',
    'text="a\\n\\u00e9\\U0001F600\\x41\\/\\q\\ud83d\\ude00"',
    '{"text": "a\\né😀A/\\\\q\\ud83d\\ude00"}',
  ],
  [
    'words and numbers',
    'on=True, maybe=None, count=-1.5e3, free=false',
    '{"on": true, "maybe": null, "count": -1.5e3, "free": false}',
  ],
  [
    'lists and dictionaries',
    `list=[1, 'a', {"b": True, 'c': [None]}], free={}`,
    '{"list": [1, "a", {"b": true, "c": [null]}], "free": {}}',
  ],
  ['no argument', '', '{}'],
])('arguments in Python become JSON: %s', (_, written, json) => {
  const reply = `Hi.<|tool_call_start|>[do_it(${written})]<|tool_call_end|>`
  for (const size of [1, 4, 1000]) expect(read('lfm2', reply, size)).toEqual(['Hi.', [json], true])
})

test('several calls in Python are read', () => {
  const reply = '<|tool_call_start|>[do_it(on=True), do_it(text=")"), do_it()]<|tool_call_end|>'
  for (const size of [1, 4, 1000])
    expect(read('lfm2', reply, size)).toEqual(['', ['{"on": true}', '{"text": ")"}', '{}'], true])
})

test.each([
  [
    'firefunction',
    'Hi. functools[{"name": "do_it", "arguments": {"on":true}}]',
    'Hi. ',
    '{"on":true}',
  ],
  ['firefunction', ' functools[{"name": "do_it", "arguments": {"on":true}}]', '', '{"on":true}'],
  [
    'commandRPlus',
    'Action:\n```json\n[\n    {\n        "tool_name": "do_it",\n        "parameters": {"on":true}\n    }\n]```',
    '',
    '{"on":true}',
  ],
  ['apertus', 'Hi.<|tools_prefix|>[{"do_it": {"on":true}}]<|tools_suffix|>', 'Hi.', '{"on":true}'],
  [
    'gigachat3',
    'Hi.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "do_it", "arguments": {"on":true}}',
    'Hi.',
    '{"on":true}',
  ],
  [
    'hunyuan3',
    '<tool_calls:opensource>\n<tool_call:opensource>do_it<tool_sep:opensource>\n<arg_key:opensource>on</arg_key:opensource>\n<arg_value:opensource>true</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
    '',
    '{"on": true}',
  ],
  [
    'kimiK3',
    '<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="do_it" index="1"<|sep|><|open|>argument key="free" type="string"<|sep|>12<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    '',
    '{"free": "12"}',
  ],
  [
    'hermes',
    'Hi.\n<tool_call>\n{"name": "do_it", "arguments": {"text": "</tool_call>"}}\n</tool_call>',
    'Hi.\n',
    '{"text": "</tool_call>"}',
  ],
  [
    'llama3',
    '{"type": "function", "name": "do_it", "parameters": {"text": "}{"}}',
    '',
    '{"text": "}{"}',
  ],
  ['llama3', '<|python_tag|>{"name": "do_it", "parameters": {"text": "}{"}}', '', '{"text": "}{"}'],
  [
    'deepseekR1',
    'x<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>do_it\n```json\n{"on":true}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    'x',
    '{"on":true}',
  ],
  [
    'kimiK2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.do_it:0<|tool_call_argument_begin|>{"on":true}<|tool_call_end|><|tool_calls_section_end|>',
    '',
    '{"on":true}',
  ],
  ['mistralIds', '[TOOL_CALLS]do_it[CALL_ID]123456789[ARGS]{"list":[[]]}', '', '{"list":[[]]}'],
  [
    'harmony',
    '<|start|>assistant<|channel|>commentary to=functions.do_it <|constrain|>json<|message|>{"on":true}',
    '',
    '{"on":true}',
  ],
  [
    'harmony',
    'Let me see.<|start|>assistant to=functions.do_it<|channel|>commentary json<|message|>{"on":true}',
    'Let me see.',
    '{"on":true}',
  ],
  [
    'gemma4',
    '<|tool_call>call:do_it{free:[{a:<|"|>x,y}<|"|>},-1.5e3,null],text:<|"|>é"\n<|"|>}<tool_call|>',
    '',
    '{"free": [{"a": "x,y}"}, -1.5e3, null], "text": "é\\"\\n"}',
  ],
] as [ToolFormName, string, string, string][])(
  'a call of the form %s: %s',
  (form, reply, text, json) => {
    for (const size of [1, 5, 1000]) expect(read(form, reply, size)).toEqual([text, [json], true])
  },
)

test.each([
  ['llama3', '{"name": "Ada", "parameters": {}}'],
  ['llama3', '{"name": "do_it", "age": 3}'],
  ['llama3', '{"type": "function", "name": "Ada"}'],
  ['llama3', '{"type": "food", "name": "do_it"}'],
  ['harmony', 'It is to=functions.do_it'],
  ['hermes', 'a <tool_cal'],
  ['lfm2', 'a [link](url) and do_it(on=True)'],
  ['firefunction', 'from functools import cache'],
  ['glm', 'a </tool_call> b'],
] as [ToolFormName, string][])(
  'a text that is no call of the form %s stays text: %s',
  (form, reply) => {
    for (const size of [1, 5, 1000]) expect(read(form, reply, size)).toEqual([reply, [], false])
  },
)

test('a call that is cut off is passed on up to the cut', () => {
  expect(read('functionXml', xml(parameter('text', 'a|')).split('|')[0] ?? '', 3)).toEqual([
    '',
    ['{"text": "a'],
    false,
  ])
  expect(read('mistral', '[TOOL_CALLS]do_it[ARGS]{"text": "a', 3)).toEqual([
    '',
    ['{"text": "a'],
    false,
  ])
  expect(read('gemma4', '<|tool_call>call:do_it{text:<|"|>a', 3)).toEqual([
    '',
    ['{"text": "a'],
    false,
  ])
  expect(read('lfm2', '<|tool_call_start|>[do_it(text="a', 3)).toEqual(['', ['{"text": "a'], false])
})

test('a value whose strings contain the mark after it many times is parsed only at its end', () => {
  const value = JSON.stringify(['a "quote"', "it's", ...Array(400).fill('</parameter>')])
  for (const list of [value, `[x, ${value}]`, `[</parameter>, ${value}]`]) {
    const reply = `<seed:tool_call>\n<function=do_it>\n<parameter=list>${list}</parameter>\n</function>\n</seed:tool_call>`
    const parse = vi.spyOn(JSON, 'parse')
    const [, calls] = read('seed', reply, 64)
    expect(parse.mock.calls.length).toBeLessThan(20)
    parse.mockRestore()
    if (list === value) expect(calls).toEqual([`{"list": ${value}}`])
  }
})

test('a call without its last mark is complete, and one that is cut before is not', () => {
  const call = '<tool_call>\n{"name": "do_it", "arguments": {"text": "a"}'
  for (const size of [1, 4, 1000]) {
    expect(read('hermes', `${call}}\n</tool`, size)).toEqual(['', ['{"text": "a"}'], true])
    expect(read('hermes', call.slice(0, -1), size)).toEqual(['', ['{"text": "a"'], false])
  }
})
