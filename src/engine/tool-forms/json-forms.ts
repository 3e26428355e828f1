import type { JsonForm } from './tool-form.ts'

const empty = { callEnd: '', between: '', end: '' }

/** Forms whose arguments are a JSON object. */
export const jsonForms = {
  /** Hermes, Qwen, Granite 4, and models whose template knows no tools. */
  hermes: {
    type: 'json',
    begin: '<tool_call>',
    name: '\n{"name": "',
    arguments: '", "arguments": ',
    callEnd: '}\n</tool_call>',
    between: '\n<tool_call>',
    end: '',
  },
  llama3: {
    ...empty,
    type: 'json',
    lead: '<|python_tag|>',
    begin: ['{"name": "', '{"type": "function", "name": "'],
    name: '',
    arguments: '", "parameters": ',
    callEnd: '}',
    isSingle: true,
  },
  /** Mistral 7B v0.3 and Nemo. */
  mistralList: list('[TOOL_CALLS]', ', "id": "*"}', ']'),
  /** Mistral Small 3.2. */
  mistralIds: {
    ...empty,
    type: 'json',
    begin: '[TOOL_CALLS]',
    name: '',
    arguments: '[CALL_ID]*[ARGS]',
    between: '[TOOL_CALLS]',
  },
  /** Devstral, Ministral 3 and Magistral. */
  mistral: {
    ...empty,
    type: 'json',
    begin: '[TOOL_CALLS]',
    name: '',
    arguments: '[ARGS]',
    between: '[TOOL_CALLS]',
  },
  commandR: {
    type: 'json',
    begin: '<|START_ACTION|>',
    open: '[\n    ',
    name: '{"tool_call_id": "#", "tool_name": "',
    arguments: '", "parameters": ',
    callEnd: '}',
    between: ',\n    ',
    end: '\n]<|END_ACTION|>',
  },
  /** Command R+ with its template for tools. */
  commandRPlus: {
    type: 'json',
    begin: ['Action:\n```json\n[', 'Action: ```json\n[', 'Action:```json\n['],
    open: '\n',
    name: '    {\n        "tool_name": "',
    arguments: '",\n        "parameters": ',
    callEnd: '\n    }',
    between: ',\n',
    end: '\n]```',
  },
  granite3: list('<|tool_call|>', '}', ']'),
  /** Each call is an object. Its only key is the tool's name. */
  apertus: {
    type: 'json',
    begin: '<|tools_prefix|>',
    open: '[',
    name: '{"',
    arguments: '": ',
    callEnd: '}',
    between: ', ',
    end: ']<|tools_suffix|>',
  },
  deepseekR1: {
    type: 'json',
    begin: '<｜tool▁calls▁begin｜>',
    name: '<｜tool▁call▁begin｜>function<｜tool▁sep｜>',
    arguments: '\n```json\n',
    callEnd: '\n```<｜tool▁call▁end｜>',
    between: '\n',
    end: '<｜tool▁calls▁end｜>',
  },
  deepseekV31: {
    type: 'json',
    begin: '<｜tool▁calls▁begin｜>',
    name: '<｜tool▁call▁begin｜>',
    arguments: '<｜tool▁sep｜>',
    callEnd: '<｜tool▁call▁end｜>',
    between: '',
    end: '<｜tool▁calls▁end｜>',
  },
  kimiK2: {
    type: 'json',
    begin: '<|tool_calls_section_begin|>',
    name: '<|tool_call_begin|>functions.',
    arguments: ':#<|tool_call_argument_begin|>',
    callEnd: '<|tool_call_end|>',
    between: '',
    end: '<|tool_calls_section_end|>',
  },
  solar: {
    type: 'json',
    begin: '<|tool_calls|>',
    turn: '<|begin|>assistant',
    name: '<|tool_call:begin|>*<|tool_call:name|>',
    arguments: '<|tool_call:args|>',
    callEnd: '<|tool_call:end|>',
    between: '',
    end: '',
  },
  nemotronV2: list('<TOOLCALL>', '}', ']</TOOLCALL>'),
  apriel: list('<tool_calls>', '}', ']</tool_calls>'),
  minimaxM1: {
    type: 'json',
    begin: '<tool_calls>',
    name: '\n{"name": "',
    arguments: '", "arguments": ',
    callEnd: '}',
    between: '',
    end: '\n</tool_calls>',
  },
  /** The mark includes the bracket, so that text about Python's module `functools` is not taken for a call. */
  firefunction: {
    type: 'json',
    begin: 'functools[',
    first: ' functools[',
    name: '{"name": "',
    arguments: '", "arguments": ',
    callEnd: '}',
    between: ', ',
    end: ']',
  },
  /** Harmony, of gpt-oss. The end of the turn ends a call. `ChannelReader` removes the header of an answer. */
  harmony: {
    ...empty,
    type: 'json',
    begin: [
      '<|channel|>commentary to=functions.',
      '<|start|>assistant to=functions.',
      '<|channel|>analysis to=functions.',
    ],
    first: ' to=functions.',
    turn: '<|start|>assistant',
    name: '',
    arguments: [
      ' <|constrain|>json<|message|>',
      '<|channel|>commentary json<|message|>',
      '<|channel|>commentary <|constrain|>json<|message|>',
      '<|channel|>analysis <|constrain|>json<|message|>',
      '<|message|>',
    ],
    isSingle: true,
  },
  functionary: {
    ...empty,
    type: 'json',
    begin: '<function=',
    name: '',
    arguments: '>',
    callEnd: '</function>',
    between: '<function=',
  },
  /** GigaChat 3, which writes a call as a message with another role. */
  gigachat3: {
    ...empty,
    type: 'json',
    begin: '<|message_sep|>\n\nfunction call<|role_sep|>\n',
    name: '{"name": "',
    arguments: '", "arguments": ',
    callEnd: '}',
    isSingle: true,
  },
  /** GigaChat 3.1. */
  gigachat: {
    ...empty,
    type: 'json',
    begin: '<|function_call|>',
    name: '{"name": "',
    arguments: '", "arguments": ',
    callEnd: '}',
    isSingle: true,
  },
  /** Not a model's form. An engine that gets tool calls separately from the text writes them between noncharacters. */
  structured: {
    ...empty,
    type: 'json',
    begin: '\ufdd0',
    name: '',
    arguments: '\ufdd1',
    callEnd: '\ufdd2',
    between: '\ufdd0',
    isReserved: true,
  },
} as const satisfies Record<string, JsonForm>

/** Returns the form of a JSON list of calls. */
function list(begin: string, callEnd: string, end: string) {
  const call = { name: '{"name": "', arguments: '", "arguments": ', callEnd }
  return { type: 'json', begin, open: '[', ...call, between: ', ', end } as const
}
