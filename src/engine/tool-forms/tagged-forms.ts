import type { DictionaryForm, PythonForm, TaggedForm } from './tool-form.ts'

/** Forms that write each argument between tags. */
export const taggedForms = {
  /** Qwen3-Coder, Qwen3.5, Nemotron 3 and Step 3.5. */
  functionXml: {
    type: 'tagged',
    begin: '<tool_call>',
    name: '\n<function=',
    arguments: '>\n',
    key: '<parameter=',
    value: '>\n',
    valueEnd: '\n</parameter>',
    afterValue: '\n',
    callEnd: '</function>\n</tool_call>',
    between: ['\n<tool_call>', '<tool_call>'],
    end: '',
  },
  seed: {
    type: 'tagged',
    begin: '<seed:tool_call>',
    name: '\n<function=',
    arguments: '>\n',
    key: '<parameter=',
    value: '>',
    valueEnd: '</parameter>',
    afterValue: '\n',
    callEnd: '</function>\n</seed:tool_call>',
    between: '\n<seed:tool_call>',
    end: '',
  },
  /** GLM 4.5 to 4.7, Ling 3, Laguna and Spark 2.5, which differ in their line breaks. */
  glm: {
    type: 'tagged',
    begin: '<tool_call>',
    name: '',
    arguments: ['\n', ''],
    key: '<arg_key>',
    value: ['</arg_key>\n<arg_value>', '</arg_key><arg_value>'],
    valueEnd: '</arg_value>',
    afterValue: ['\n', ''],
    callEnd: '</tool_call>',
    between: ['\n<tool_call>', '<tool_call>'],
    end: '',
  },
  minimaxM2: invocations('<minimax:tool_call>', '</minimax:tool_call>', ''),
  /** Hunyuan 3. */
  hunyuan3: {
    type: 'tagged',
    begin: '<tool_calls:opensource>',
    name: '\n<tool_call:opensource>',
    arguments: '<tool_sep:opensource>\n',
    key: '<arg_key:opensource>',
    value: '</arg_key:opensource>\n<arg_value:opensource>',
    valueEnd: '</arg_value:opensource>',
    afterValue: '\n',
    callEnd: '</tool_call:opensource>',
    between: '',
    end: '\n</tool_calls:opensource>',
  },
  /** MiniCPM 5. */
  minicpm5: {
    type: 'tagged',
    begin: '<function name="',
    name: '',
    arguments: '">',
    key: '<param name="',
    value: '">',
    valueEnd: '</param>',
    markup: { begin: '<![CDATA[', end: ']]>' },
    afterValue: '',
    callEnd: '</function>',
    between: ['<function name="', '\n<function name="'],
    end: '',
  },
  /** Kimi K3, which names the type of each value. A call follows the answer, which may be empty. */
  kimiK3: {
    type: 'tagged',
    begin: '<|open|>tools<|sep|>',
    first: [
      '<|close|>response<|sep|><|open|>tools<|sep|>',
      '<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|>',
    ],
    name: '<|open|>call tool="',
    arguments: '" index="#"<|sep|>',
    key: '<|open|>argument key="',
    value: ['number', 'boolean', 'null', 'array', 'object'].map(
      (type) => `" type="${type}"<|sep|>`,
    ),
    stringValue: '" type="string"<|sep|>',
    valueEnd: '<|close|>argument<|sep|>',
    afterValue: '',
    callEnd: '<|close|>call<|sep|>',
    between: '',
    end: '<|close|>tools<|sep|>',
  },
  deepseekV32: {
    ...invocations('<｜DSML｜function_calls>', '</｜DSML｜function_calls>', '｜DSML｜'),
    value: '" string="false">',
    stringValue: '" string="true">',
  },
  deepseekV4: {
    ...invocations('<｜DSML｜tool_calls>', '</｜DSML｜tool_calls>', '｜DSML｜'),
    value: '" string="false">',
    stringValue: '" string="true">',
  },
} as const satisfies Record<string, TaggedForm>

export const dictionaryForms = {
  gemma4: {
    type: 'dictionary',
    begin: '<|tool_call>',
    name: 'call:',
    arguments: '',
    quote: '<|"|>',
    callEnd: '<tool_call|>',
    between: '<|tool_call>',
    end: '',
  },
} as const satisfies Record<string, DictionaryForm>

export const pythonForms = {
  /** LFM2 and LFM2.5. */
  lfm2: {
    type: 'python',
    begin: '<|tool_call_start|>[',
    name: '',
    arguments: '(',
    callEnd: ')',
    between: ', ',
    end: ']<|tool_call_end|>',
  },
} as const satisfies Record<string, PythonForm>

function invocations(begin: string, end: string, prefix: string) {
  return {
    type: 'tagged',
    begin,
    name: `\n<${prefix}invoke name="`,
    arguments: '">\n',
    key: `<${prefix}parameter name="`,
    value: '">',
    valueEnd: `</${prefix}parameter>`,
    afterValue: '\n',
    callEnd: `</${prefix}invoke>`,
    between: '',
    end: `\n${end}`,
  } as const
}
