/** A prompt that differs from llama-server's on purpose. */
type Difference = {
  /** Names of templates. */
  readonly templates: readonly string[]
  /** Names of conversations; undefined: all. */
  readonly conversations?: readonly string[]
  readonly reason: string
}

const withTools = ['tools', 'one call', 'parallel calls', 'calls without text']

/** Every prompt of ours that differs from llama-server's, with the reason. */
const differences: readonly Difference[] = [
  {
    templates: [
      'Bielik-11B-v3.0-Instruct',
      'HuggingFaceTB-SmolLM3-3B',
      'MiniMax-M1',
      'MiniMax-M2',
      'MiniMax-M3',
      'NVIDIA-Nemotron-Nano-v2',
      'Reka-Edge',
      'openai-gpt-oss-120b',
    ],
    conversations: ['system in the middle'],
    reason:
      "The template leaves out a system message after the start, so llama-server's model never reads it. Ours is part of the user's next message.",
  },
  {
    templates: [
      'Apertus-8B-Instruct',
      'Mistral-Small-3.2-24B-Instruct-2506',
      'Qwen3.5-4B',
      'google-gemma-2-2b-it',
      'mistralai-Ministral-3-14B-Reasoning-2512',
      'mistralai-Mistral-Nemo-Instruct-2407',
    ],
    conversations: ['system in the middle'],
    reason:
      "The template refuses a system message after the start, and llama-server answers with an error. Ours is part of the user's next message.",
  },
  {
    templates: [
      'deepseek-ai-DeepSeek-R1-Distill-Llama-8B',
      'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B',
      'llama-cpp-deepseek-r1',
      'llama-cpp-rwkv-world',
    ],
    conversations: ['system in the middle'],
    reason:
      "The template writes only the last system message, at the start, so llama-server's model never reads an earlier one. Ours is part of the user's next message.",
  },
  {
    templates: ['Apertus-8B-Instruct'],
    reason:
      'llama-server finds no marks of thoughts in this template and sets `enable_thinking` to false. We know them, and set it to true as llama-server does for the others.',
  },
  {
    templates: ['moonshotai-Kimi-K2'],
    conversations: ['one call', 'parallel calls', 'calls without text', 'text and call'],
    reason:
      "The template numbers the calls, but names a result by the caller's id, which llama-server passes on. Our results have the ids of their calls.",
  },
  {
    templates: ['deepseek-ai-DeepSeek-V4', 'deepseek-ai-DeepSeek-V4-Flash-0731'],
    conversations: [
      'several turns',
      'white space at the ends',
      'unicode',
      'system in the middle',
      'long',
    ],
    reason:
      "llama-server sets `drop_thinking` to false, so that earlier replies begin with an empty thought. We keep the template's own default, as the training library does.",
  },
  {
    templates: ['fireworks-ai-llama-3-firefunction-v2'],
    conversations: withTools,
    reason:
      'The template reads the tools from the variable `functions`, which llama-server leaves empty: its model never learns of them.',
  },
  {
    templates: ['mistralai-Mistral-Nemo-Instruct-2407'],
    conversations: ['parallel calls'],
    reason:
      "The template writes the system message only if the user's message is the last one, so llama-server's model does not read it after a call. Ours is part of the user's last message, as in the other requests.",
  },
  {
    templates: [
      'meta-llama-Llama-3.1-8B-Instruct',
      'meta-llama-Llama-3.2-3B-Instruct',
      'meta-llama-Llama-3.3-70B-Instruct',
    ],
    conversations: ['parallel calls'],
    reason:
      'The template refuses several calls in one message, and llama-server answers with an error. Ours come one after the other, each with its result.',
  },
  {
    templates: ['GigaChat3-10B-A1.8B', 'GigaChat3.1-10B-A1.8B', 'openai-gpt-oss-120b'],
    conversations: ['parallel calls'],
    reason:
      "The template writes only the first of several calls, and the results of all under its name, so llama-server's model never reads the others. Ours come one after the other, each with its result.",
  },
  {
    templates: ['llama-cpp-deepseek-r1'],
    conversations: ['one call'],
    reason:
      "The template writes either the text of a message or its calls, so llama-server's model reads a result without a call. Ours has the text in a message of its own.",
  },
  {
    templates: ['google-gemma-4-31B-it'],
    conversations: ['one call'],
    reason:
      'The template writes the text before a call after its result, and closes the turn. Ours leaves the text out.',
  },
  {
    templates: ['google-gemma-4-31B-it-interleaved'],
    conversations: ['one call'],
    reason:
      'llama-server puts the reply after the results in place of the text before the call. Ours has both.',
  },
  {
    templates: ['CohereForAI-c4ai-command-r-plus-tool_use'],
    conversations: withTools,
    reason:
      "The template reads a schema's member `items`, which Python and llama-server take for a method of the dict, so that a tool with a list is refused. Ours is the member.",
  },
  {
    templates: ['openbmb-MiniCPM5-1B'],
    conversations: ['parallel calls'],
    reason:
      "llama-server writes the list ['Bern', 'Ulm'] as BernUlm. Ours is the text that Jinja in Python writes.",
  },
  {
    templates: ['LFM2-8B-A1B', 'LFM2.5-Instruct', 'ibm-granite-granite-3.3-2B-Instruct'],
    conversations: ['one call', 'parallel calls', 'calls without text'],
    reason:
      "The template leaves out earlier calls, so llama-server's model never reads them. Ours are text in the form that the model writes.",
  },
  {
    templates: [
      // This is Unsloth's edition of the template. Hugging Face's own edition describes tools.
      'HuggingFaceTB-SmolLM3-3B',
      'deepseek-ai-DeepSeek-R1-Distill-Llama-8B',
      'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B',
      'deepseek-ai-DeepSeek-V3.1',
      'google-gemma-2-2b-it',
      'llama-cpp-rwkv-world',
      // Phi-4-mini, whose template is not in the release, gets the same description (docs/models.md).
      'microsoft-Phi-3.5-mini-instruct',
    ],
    conversations: withTools,
    reason:
      'The template does not read the tools. Ours are described in the system message, with the form in which calls are then read.',
  },
  {
    templates: ['MiniMax-M3'],
    conversations: withTools,
    reason:
      'Calls name each argument in an opening and a closing element, with one element for each member and item of a value. The service has no grammar for that: it describes the tools in the system message.',
  },
  {
    templates: ['meetkai-functionary-medium-v3.2'],
    conversations: withTools,
    reason:
      'Every reply begins with its recipient, a tool or `all`, and no mark tells a call from a text. The service describes the tools in the system message.',
  },
  {
    templates: ['muse-glimmer'],
    conversations: withTools,
    reason:
      'Every call is a message of its own that names the tool twice, and the same mark begins a message to the user. The service describes the tools in the system message.',
  },
]

/** Returns true where our prompt differs from llama-server's on purpose. */
export function isDifferent(template: string, conversation: string): boolean {
  return differences.some(
    ({ templates, conversations }) =>
      templates.includes(template) &&
      (conversations === undefined || conversations.includes(conversation)),
  )
}
