import { jsonForms } from './json-forms.ts'
import { dictionaryForms, pythonForms, taggedForms } from './tagged-forms.ts'
import type { ToolForm } from './tool-form.ts'

const forms = { ...jsonForms, ...taggedForms, ...dictionaryForms, ...pythonForms }

export type ToolFormName = keyof typeof forms

export const toolFormNames = Object.keys(forms) as readonly ToolFormName[]

export function isToolFormName(value: unknown): value is ToolFormName {
  return typeof value === 'string' && Object.hasOwn(forms, value)
}

/** The form in which tools are described as text, for a template without a form. */
export const genericToolForm: ToolFormName = 'hermes'

/** Returns the form of this name, or the generic form if the template has none. */
export function toolFormOf(name: ToolFormName = genericToolForm): ToolForm {
  return forms[name]
}

/**
 * Returns the form in which a template describes tools and writes calls. Returns undefined if the template has no such
 * form or an unsupported one. Tools are then described as text.
 */
export function detectToolForm(templateSource: string): ToolFormName | undefined {
  if (!/\b(?:tools|functions)\b/.test(templateSource)) return undefined
  return detections.find(
    ([, texts, others = []]) =>
      texts.every((text) => templateSource.includes(text)) &&
      !others.some((text) => templateSource.includes(text)),
  )?.[0]
}

/**
 * Forms, each with texts that its templates contain and texts that they do not contain. More specific forms come first.
 */
const detections: readonly (readonly [ToolFormName, readonly string[], (readonly string[])?])[] = [
  ['gemma4', ['<|tool_call>call:']],
  ['harmony', ['<|start|>assistant', '<|channel|>', 'functions.']],
  ['deepseekV32', ['DSML', 'function_calls']],
  ['deepseekV4', ['DSML', 'tool_calls']],
  ['deepseekR1', ['<｜tool▁calls▁begin｜>', '```json']],
  ['deepseekV31', ['<｜tool▁calls▁begin｜>']],
  ['kimiK2', ['<|tool_calls_section_begin|>', '<|tool_call_argument_begin|>']],
  ['solar', ['<|tool_call:begin|>', '<|tool_call:args|>']],
  ['kimiK3', ["open_tag('tools')", "open_tag('argument'"]],
  ['hunyuan3', ["'<tool_calls{}>'", "'<arg_key{}>'", "':opensource'"]],
  ['apertus', ['<|tools_prefix|>', '<|tools_suffix|>']],
  ['commandRPlus', ['Action:\\n```json', '"tool_name"']],
  ['minicpm5', ['<function name="', '<param name="', '<![CDATA[']],
  // MiniCPM3 writes a block of Python between these marks.
  ['lfm2', ['<|tool_call_start|>', '<|tool_call_end|>'], ['```python']],
  // Most templates of LFM2 describe tools, but do not write calls.
  ['lfm2', ['"List of tools: ', '<|im_start|>']],
  ['commandR', ['<|START_ACTION|>', 'tool_call_id']],
  ['mistralIds', ['[TOOL_CALLS]', '[CALL_ID]', '[ARGS]']],
  ['mistral', ['[TOOL_CALLS]', '[ARGS]']],
  ['mistralList', ['[TOOL_CALLS]']],
  ['seed', ['seed:tool_call', '<function=', '<parameter=']],
  ['minimaxM2', ['<minimax:tool_call>', '<invoke name="']],
  ['functionXml', ['<tool_call>', '<function=', '<parameter=']],
  ['glm', ['<tool_call>', '<arg_key>', '<arg_value>']],
  ['granite3', ['<|tool_call|>']],
  ['nemotronV2', ['<TOOLCALL>']],
  ['apriel', ['<tool_calls>[']],
  ['minimaxM1', ['<tool_calls>', '"arguments"']],
  ['firefunction', [' functools[', 'functions']],
  ['functionary', ['<function=', '</function>']],
  ['gigachat3', ["'function call'", '<|role_sep|>', '<|message_sep|>'], ['<|function_call|>']],
  ['gigachat', ['<|function_call|>', '"arguments": ']],
  ['hermes', ['<tool_call>', 'arguments'], ['<invoke name=']],
  ['llama3', ['{"name": ', '"parameters": ', '<|start_header_id|>']],
]
