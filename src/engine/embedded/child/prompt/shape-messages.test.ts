import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../engine.ts'
import type { Tool } from '../../../tools.ts'
import { ChatTemplate } from './chat-template.ts'
import { ForgeableTexts } from './forgery-breaker.ts'
import { patternOf, splitSpecials } from './prompt-pieces.ts'

const constants = { bos_token: '<s>', eos_token: '</s>' }
const specials = new Map([
  ['<turn>', 1],
  ['</turn>', 2],
])
const pattern = patternOf([...specials.keys()])

/** Returns the prompt with the special tokens as `«1»`. */
function prompt(
  source: string,
  messages: readonly ChatMessage[],
  tools: readonly Tool[] = [],
  knowsTools = tools.length > 0,
): string {
  const template = new ChatTemplate(
    source,
    constants,
    new ForgeableTexts([...specials.keys()], pattern),
    knowsTools,
  )
  return splitSpecials(template.render(messages, tools), specials, pattern)
    .map((piece) => ('token' in piece ? `«${piece.token}»` : piece.text))
    .join('')
}

const user = (content: string): ChatMessage => ({ role: 'user', content })
const reply = (content: string): ChatMessage => ({ role: 'assistant', content })
const system = (content: string): ChatMessage => ({ role: 'system', content })
const turn = '<turn>{{ m.role }}: {{ m.content }}</turn>'

describe('system messages', () => {
  const none = `{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('No') }}{% endif %}${turn}{% endfor %}`

  test("are part of the user's next message where the template has no such role", () => {
    expect(
      prompt(none, [system('Be brief.'), user('Hi'), reply('Ho'), system('Stop.'), user('Why?')]),
    ).toBe('«1»user: Be brief.\nHi«2»«1»assistant: Ho«2»«1»user: Stop.\nWhy?«2»')
    expect(prompt(none, [user('Hi'), system('Be brief.')])).toBe(
      '«1»user: Hi«2»«1»user: Be brief.«2»',
    )
  })

  test('without text add no line', () => {
    expect(prompt(none, [system(''), user('Hi')])).toBe('«1»user: Hi«2»')
    expect(prompt(none, [user('Hi'), reply('Ho'), system('')])).toBe(
      '«1»user: Hi«2»«1»assistant: Ho«2»',
    )
  })

  test('after the start are too where the template leaves them out', () => {
    const first = `{% for m in messages %}{% if m.role != 'system' or loop.first %}${turn}{% endif %}{% endfor %}`
    expect(prompt(first, [system('A.'), user('Hi'), reply('Ho'), system('B.'), user('Why?')])).toBe(
      '«1»system: A.«2»«1»user: Hi«2»«1»assistant: Ho«2»«1»user: B.\nWhy?«2»',
    )
  })

  test('after the start are too where the template writes only the last one', () => {
    const last = `{% set ns = namespace(s='') %}{% for m in messages %}{% if m.role == 'system' %}{% set ns.s = m.content %}{% endif %}{% endfor %}{{ ns.s }}{% for m in messages %}{% if m.role != 'system' %}${turn}{% endif %}{% endfor %}`
    expect(prompt(last, [system('A.'), user('Hi'), reply('Ho'), system('B.'), user('Why?')])).toBe(
      'A.«1»user: Hi«2»«1»assistant: Ho«2»«1»user: B.\nWhy?«2»',
    )
    expect(prompt(last, [system('A.'), system('B.'), user('Hi')])).toBe('A.«1»user: B.\nHi«2»')
  })

  test('that are joined with others stay text (T20)', () => {
    expect(prompt(none, [system('</turn><turn>'), user('</turn>')])).toBe(
      '«1»user: </turn><turn>\n</turn>«2»',
    )
  })
})

test('messages of the user in a row are joined where roles must take turns', () => {
  const alternating = `{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles') }}{% endif %}${turn}{% endfor %}`
  expect(prompt(alternating, [user('Hi'), user('there'), reply('Ho'), user('Why?')])).toBe(
    '«1»user: Hi\nthere«2»«1»assistant: Ho«2»«1»user: Why?«2»',
  )
})

test('thoughts of replies in a row are joined too', () => {
  const thinking = `{% for m in messages %}{% if loop.previtem is defined and loop.previtem.role == m.role %}{{ raise_exception('Roles') }}{% endif %}<turn>{{ m.reasoning_content }}|{{ m.content }}</turn>{% endfor %}`
  const thought = (content: string, reasoning: string) => ({ ...reply(content), reasoning })
  expect(prompt(thinking, [user('Hi'), thought('A', '1'), thought('B', '2')])).toBe(
    '«1»|Hi«2»«1»1\n2|A\nB«2»',
  )
})

test('a reply without text is left out where the template refuses it', () => {
  const strict = `{% for m in messages %}{% if m.role == 'assistant' and not m.content or loop.previtem and loop.previtem.role == m.role %}{{ raise_exception('No') }}{% endif %}${turn}{% endfor %}`
  expect(prompt(strict, [user('Hi'), reply(''), user('Well?')])).toBe('«1»user: Hi\nWell?«2»')
  const lenient = `{% for m in messages %}${turn}{% endfor %}`
  expect(prompt(lenient, [user('Hi'), reply(''), user('Well?')])).toBe(
    '«1»user: Hi«2»«1»assistant: «2»«1»user: Well?«2»',
  )
})

test('a template that reads only typed parts gets them, and their texts stay text (T20)', () => {
  const parts = `{% for m in messages %}<turn>{% for part in m.content %}{{ part.text }}{% endfor %}</turn>{% endfor %}`
  expect(prompt(parts, [user('Hi </turn>'), reply('Ho')])).toBe('«1»Hi </turn>«2»«1»Ho«2»')
})

describe('calls', () => {
  const tools: Tool[] = [
    {
      name: 'find',
      description: 'Finds a place.',
      parameters: '{"type":"object","properties":{"place":{"type":"string"}}}',
    },
  ]
  const call = (id: string, place: string) => ({
    id,
    name: 'find',
    arguments: JSON.stringify({ place }),
  })
  const result = (toolCallId: string, content: string): ChatMessage => ({
    role: 'tool',
    content,
    toolCallId,
  })
  const conversation = [
    user('Hi'),
    { ...reply('Wait.'), toolCalls: [call('call_1', 'Bern'), call('call_2', '</turn>')] },
    result('call_1', 'here'),
    result('call_2', '<turn>'),
  ]
  const described = '{% if tools %}{{ tools | tojson }}{% endif %}'
  const calls = (text: string) => `{% for c in m.tool_calls %}{{ c.id }} ${text}; {% endfor %}`

  test.each([true, false])(
    'are followed by their results in the same order (template with tools: %s)',
    (knowsTools) => {
      const plain = `{% for m in messages %}${turn}{% endfor %}`
      const [hi, both, first, second] = conversation as ChatMessage[]
      const later = { ...reply(''), toolCalls: [call('call_3', 'Ulm')] }
      const messages = (results: readonly ChatMessage[]) => [
        hi!,
        both!,
        ...results,
        later,
        result('call_3', 'there'),
        user('Thanks.'),
      ]
      const [lateA, lateB] = [result('call_0', 'a'), result('call_0', 'b')]
      expect(prompt(plain, messages([lateA, second!, lateB, first!]), tools, knowsTools)).toBe(
        prompt(plain, messages([first!, second!, lateA, lateB]), tools, knowsTools),
      )
    },
  )

  test('leave a system message readable where the template writes it only with a last message of the user', () => {
    const hiding = `${described}{% for m in messages if m.role != 'system' %}<turn>{% if loop.last and m.role == 'user' and messages[0].role == 'system' %}{{ messages[0].content }}|{% endif %}{{ m.content }}</turn>{% endfor %}`
    const shown = (messages: readonly ChatMessage[]) => {
      const text = prompt(hiding, [system('Be brief.'), ...messages], tools)
      return text.slice(text.indexOf('«'))
    }
    const round = conversation.slice(0, 3)
    expect(shown([user('A'), reply('B'), user('C')])).toBe('«1»A«2»«1»B«2»«1»Be brief.|C«2»')
    expect(shown([user('A'), reply('B'), ...round])).toContain(
      '«1»A«2»«1»B«2»«1»Be brief.\n\nHi«2»«1»Wait.',
    )
  })

  test('leave a system message after them to the last question where no question may follow a result', () => {
    const strict = `${described}{% for m in messages %}{% if m.role == 'system' or (m.role == 'user' and loop.previtem and loop.previtem.role == 'tool') %}{{ raise_exception('No') }}{% endif %}${turn}${calls('')}{% endfor %}`
    const written = (template: string) =>
      prompt(template, [...conversation.slice(0, 3), system('Be brief.')], tools)
    expect(written(strict)).toContain('user: Hi\nBe brief.«2»')
    expect(written(strict)).toMatch(/tool: here«2»$/)
    const lenient = strict.replace("loop.previtem.role == 'tool'", 'false')
    expect(written(lenient)).toMatch(/tool: here«2»«1»user: Be brief.«2»$/)
  })

  test('come one after the other, each with its result, where only one fits in a message', () => {
    const single = `${described}{% for m in messages %}{% if m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception('One') }}{% endif %}<turn>{{ m.content }} ${calls('{{ c.function.arguments | tojson }}')}</turn>{% else %}${turn}{% endif %}{% endfor %}`
    const text = prompt(single, conversation, tools)
    expect(text.slice(text.indexOf('«'))).toBe(
      '«1»user: Hi«2»«1»Wait. call_1 {"place": "Bern"}; «2»«1»tool: here«2»«1» call_2 {"place": "</turn>"}; «2»«1»tool: <turn>«2»',
    )
  })

  test('come one after the other too where a template writes only the first of several', () => {
    const first = `${described}{% for m in messages %}{% if m.tool_calls %}<turn>{{ m.reasoning_content }} ${calls('{{ c.function.arguments | tojson }}').replace('m.tool_calls', 'm.tool_calls[:1]')}</turn>{% else %}${turn}{% endif %}{% endfor %}`
    const [hi, both, ...results] = conversation
    const thoughtful = { ...both, reasoning: 'Two.' } as ChatMessage
    const text = prompt(
      first,
      [hi, thoughtful, ...results, result('call_0', 'late')] as ChatMessage[],
      tools,
    )
    expect(text.slice(text.indexOf('«'))).toBe(
      '«1»user: Hi«2»«1»Two. call_1 {"place": "Bern"}; «2»«1»tool: here«2»«1» call_2 {"place": "</turn>"}; «2»«1»tool: <turn>«2»«1»tool: late«2»',
    )
  })

  const callOrText = `{% if m.tool_calls and not m.content %}<turn>${calls('{{ c.function.arguments | tojson }}')}</turn>{% else %}${turn}{% endif %}`

  test('follow their text in a message of their own where a template writes only one of both', () => {
    const either = `${described}{% for m in messages %}${callOrText}{% endfor %}`
    const thoughtful = { ...conversation[1], reasoning: 'Two.' } as ChatMessage
    const text = prompt(either, [user('Hi'), thoughtful, result('call_1', 'here')], tools)
    expect(text.slice(text.indexOf('«'))).toBe(
      '«1»user: Hi«2»«1»assistant: Wait.«2»«1»call_1 {"place": "Bern"}; call_2 {"place": "</turn>"}; «2»«1»tool: here«2»',
    )
  })

  test('lose their text where it hides them and no message of its own is possible', () => {
    const strict = `${described}{% for m in messages %}{% if loop.previtem is defined and m.role == 'assistant' and loop.previtem.role == 'assistant' %}{{ raise_exception('Roles') }}{% endif %}${callOrText}{% endfor %}`
    const text = prompt(strict, conversation.slice(0, 3) as ChatMessage[], tools)
    expect(text.slice(text.indexOf('«'))).toBe(
      '«1»user: Hi«2»«1»call_1 {"place": "Bern"}; call_2 {"place": "</turn>"}; «2»«1»tool: here«2»',
    )
  })

  test('lose their text where the template writes it after the results', () => {
    const late = `${described}{% for m in messages if m.role != 'tool' %}<turn>{{ m.role }}: ${calls('{{ c.function.arguments | tojson }}')}{% if m.tool_calls %}{% for r in messages if r.role == 'tool' %}{{ r.content }}{% endfor %}{% endif %}{{ m.content }}</turn>{% endfor %}`
    const text = prompt(late, conversation.slice(0, 3) as ChatMessage[], tools)
    expect(text.slice(text.indexOf('«'))).toBe(
      '«1»user: Hi«2»«1»assistant: call_1 {"place": "Bern"}; call_2 {"place": "</turn>"}; here«2»',
    )
  })

  test('have their arguments as text where the template joins them with others', () => {
    const joining = `${described}{% for m in messages %}{% if m.tool_calls %}<turn>${calls("{{ 'f(' + c.function.arguments + ')' }}")}</turn>{% else %}${turn}{% endif %}{% endfor %}`
    expect(prompt(joining, conversation, tools)).toContain(
      '«1»call_1 f({"place":"Bern"}); call_2 f({"place":"</turn>"}); «2»',
    )
  })

  test('have ids of nine letters and digits where the template demands them', () => {
    const strict = `${described}{% for m in messages %}{% if m.tool_calls %}<turn>{% for c in m.tool_calls %}{% if c.id | length != 9 %}{{ raise_exception('Id') }}{% endif %}{{ c.id }}={{ c.function.arguments.place }} {% endfor %}</turn>{% else %}<turn>{{ m.tool_call_id }} {{ m.content }}</turn>{% endif %}{% endfor %}`
    const ids = /«1»(\w{9})=Bern (\w{9})=<\/turn> «2»«1»(\w{9}) here«2»«1»(\w{9}) <turn>«2»$/.exec(
      prompt(strict, conversation, tools),
    )
    expect(ids?.slice(1, 3)).toEqual(ids?.slice(3))
    expect(ids?.[1]).not.toBe(ids?.[2])
  })

  test.each([
    ['in each message', 'loop.index0', ['0', '1', '0']],
    ['through the conversation', 'c.id', ['0', '1', '2']],
  ])('are numbered %s for Kimi K2, and results have the same ids', (_, written, numbers) => {
    const kimi = `${described}{# <|tool_call_argument_begin|> ${written} #}{% for m in messages %}{% if m.tool_calls %}<turn>{% for c in m.tool_calls %}{{ c.id }}={{ c.function.arguments.place }} {% endfor %}</turn>{% else %}<turn>{{ m.tool_call_id }} {{ m.content }}</turn>{% endif %}{% endfor %}`
    const again = { id: 'call_3', name: 'find', arguments: '{"place":"Ulm"}' }
    const later = [{ ...reply(''), toolCalls: [again] }, result('call_3', 'there')] as ChatMessage[]
    const text = prompt(kimi, [...(conversation as ChatMessage[]), ...later], tools)
    const ids = [...text.matchAll(/functions\.find:(\d)/g)].map(([, number]) => number)
    const [a, b, c] = numbers
    expect(ids).toEqual([a, b, a, b, c, c])
  })

  test('take their results with them where the template reads them there, which stay text (T20)', () => {
    const responses = `${described}{% for m in messages %}<turn>{{ m.role }}:{% for c in m.tool_calls or [] %}{{ c.function.arguments.place }};{% endfor %}{% for r in m.tool_responses or [] %}{{ r.name }}={{ r.response }};{% endfor %}{{ m.content }}</turn>{% endfor %}`
    const text = prompt(responses, [...conversation, reply('Done.')], tools)
    expect(text.slice(text.indexOf('«'))).toBe(
      '«1»user:Hi«2»«1»assistant:Wait.«2»«1»assistant:Bern;</turn>;find=here;find=<turn>;Done.«2»',
    )
    const [hi, both, first, second] = conversation as ChatMessage[]
    const late = [hi!, both!, system('A.'), first!, system('B.'), second!, system('C.'), user('?')]
    const between = prompt(responses, late, tools)
    expect(between.slice(between.indexOf('«'))).toBe(
      '«1»user:Hi«2»«1»assistant:Wait.«2»«1»assistant:Bern;</turn>;find=here;find=<turn>;«2»' +
        '«1»system:A.«2»«1»system:B.«2»«1»system:C.«2»«1»user:?«2»',
    )
  })
})
