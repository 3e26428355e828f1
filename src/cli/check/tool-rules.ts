import { about, mustBeJson, mustBePerson, parseText, person } from './person.ts'
import { at, must, mustSucceed, type Rule, show, textOf } from './rule.ts'

const tools = [
  {
    type: 'function',
    function: { name: 'save_person', description: 'Saves a person.', parameters: person },
  },
]
const format = {
  type: 'json_schema',
  json_schema: { name: 'person', strict: true, schema: person },
}

/** Rules on tools, alone and together with a reply format. */
export const toolRules: Rule[] = [
  {
    id: 'tools.forced',
    of: 'field',
    says: 'a required tool is called with arguments that match its schema',
    check: async (target) => {
      const reply = mustSucceed(await target.chat({ ...about, tools, tool_choice: 'required' }))
      const call = at(reply, 'choices', 0, 'message', 'tool_calls', 0)
      must(at(call, 'function', 'name') === 'save_person', show(at(reply, 'choices', 0)))
      must(typeof at(call, 'id') === 'string' && at(call, 'type') === 'function', show(call))
      mustBePerson(parseText(String(at(call, 'function', 'arguments'))))
    },
  },
  {
    id: 'tools.result',
    of: 'field',
    says: 'a tool result is accepted as a message',
    check: async (target) => {
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'save_person', arguments: '{"name":"Ada","age":36}' },
      }
      const messages = [
        ...about.messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'saved' },
      ]
      textOf(mustSucceed(await target.chat({ messages, tools, max_tokens: 8 })))
    },
  },
  {
    id: 'tools.results',
    of: 'field',
    says: 'the results of two parallel calls are accepted as two messages, and answered',
    check: async (target) => {
      const messages = [
        { role: 'user', content: 'Ada is 36 years old, and Bob is 41.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [callOf(1, 'Ada', 36), callOf(2, 'Bob', 41)],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'saved' },
        { role: 'tool', tool_call_id: 'call_2', content: 'saved' },
      ]
      mustAnswer(mustSucceed(await target.chat({ messages, tools, max_tokens: 32 })))
    },
  },
  {
    id: 'tools.format',
    of: 'field',
    says: 'tools with a response_format: a call with valid arguments, or a text that fits the format',
    check: async (target) => {
      const fields = { ...about, tools, response_format: format }
      mustFitEither(mustSucceed(await target.chat(fields)))
      const called = [{ role: 'assistant', content: null, tool_calls: [callOf(1, 'Ada', 36)] }]
      const result = { role: 'tool', tool_call_id: 'call_1', content: 'saved' }
      const messages = [...about.messages, ...called, result]
      mustFitEither(mustSucceed(await target.chat({ ...fields, messages })))
    },
  },
  {
    id: 'tools.format.none',
    of: 'field',
    says: 'tools with tool_choice none and a response_format: a text that fits the format',
    check: async (target) => {
      const fields = { ...about, tools, tool_choice: 'none', response_format: format }
      mustBePerson(mustBeJson(mustSucceed(await target.chat(fields))))
    },
  },
]

function callOf(index: number, name: string, age: number): object {
  const person = JSON.stringify({ name, age })
  return {
    id: `call_${index}`,
    type: 'function',
    function: { name: 'save_person', arguments: person },
  }
}

/** Requires a text or further tool calls. @throws Broken */
function mustAnswer(reply: unknown): void {
  const message = at(reply, 'choices', 0, 'message')
  const calls = at(message, 'tool_calls')
  const hasCalls = Array.isArray(calls) && calls.length > 0
  must(typeof at(message, 'content') === 'string' || hasCalls, show(message))
}

/** @throws Broken */
function mustFitEither(reply: unknown): void {
  const call = at(reply, 'choices', 0, 'message', 'tool_calls', 0)
  if (call === undefined) {
    mustBePerson(mustBeJson(reply))
    return
  }
  if (at(reply, 'choices', 0, 'finish_reason') === 'length') return
  must(at(call, 'function', 'name') === 'save_person', show(call))
  mustBePerson(parseText(String(at(call, 'function', 'arguments'))))
}
