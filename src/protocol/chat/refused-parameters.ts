type Neutral = string | number | boolean | readonly string[] | Readonly<Record<string, never>>

/**
 * Parameters of other services that would change the reply and that this service does not support. Each group says what
 * to do instead and lists the names, with the values that change nothing. A dot separates a parameter and its member.
 * Covers OpenAI, vLLM, SGLang, llama-server, Ollama, LM Studio, OpenRouter, Text Generation Inference and other
 * parameters in common use.
 */
const groups: readonly [instead: string, names: Readonly<Record<string, readonly Neutral[]>>][] = [
  [
    'Use `presence_penalty` or `frequency_penalty`.',
    {
      repetition_penalty: [1],
      repeat_penalty: [1],
      rep_pen: [1],
      encoder_repetition_penalty: [1],
      no_repeat_ngram_size: [0],
      dry_multiplier: [0],
      repeat_last_n: [-1],
      penalty_alpha: [0],
      penalize_newline: [false],
      penalize_nl: [false],
      repetition_detection: [],
    },
  ],
  [
    'Use `top_p`, `top_k` or `min_p`.',
    {
      typical_p: [1],
      typical: [1],
      tfs_z: [1],
      tfs: [1],
      top_a: [0],
      top_n_sigma: [-1, 0],
      nsigma: [0],
      xtc_probability: [0],
      epsilon_cutoff: [0],
      eta_cutoff: [0],
      min_keep: [0, 1],
      adaptive_target: [-1],
      samplers: [],
      sampler_priority: [],
      sampler_order: [],
      temperature_last: [false],
    },
  ],
  [
    'Use `temperature`.',
    {
      mirostat: [0],
      mirostat_mode: [0],
      mirostat_target: [],
      dynatemp_range: [0],
      dynamic_temperature: [false],
      smoothing_factor: [0],
      do_sample: [true],
    },
  ],
  [
    'Use `n` for several replies, and sample them.',
    {
      best_of: [1],
      n_cmpl: [1],
      use_beam_search: [false],
      num_beams: [1],
      num_beam_groups: [1],
      length_penalty: [1],
      diversity_penalty: [0],
      early_stopping: [false],
    },
  ],
  [
    'Use `logit_bias`: -100 forbids a token, and `POST /v1/tokenize` returns the ids.',
    {
      allowed_token_ids: [],
      bad_words: [],
      bad_words_ids: [],
      banned_tokens: [],
      banned_strings: [],
      custom_token_bans: [],
      suppress_tokens: [],
      ignore_eos: [false],
      ban_eos_token: [false],
      logits_processors: [],
      custom_logit_processor: [],
    },
  ],
  [
    'A reply ends when the model ends it, at `stop`, or after `max_tokens`.',
    {
      min_tokens: [0],
      min_new_tokens: [0],
      min_length: [0],
      t_max_predict_ms: [-1, 0],
      n_indent: [0],
      max_time: [],
      max_length: [],
      max_output_tokens: [],
      max_tokens_to_sample: [],
      auto_max_new_tokens: [false],
    },
  ],
  [
    'Use `stop`, whose texts are never part of the reply.',
    {
      stop_regex: [],
      stop_sequences: [],
      stopping_strings: [],
      include_stop_str_in_output: [false],
      no_stop_trim: [false],
    },
  ],
  ['Use `seed`.', { random_seed: [], sampling_seed: [] }],
  [
    'Use `response_format` with a JSON Schema, whose strings can have a `pattern`.',
    {
      format: [],
      grammar: [],
      grammar_string: [],
      guided_regex: [],
      guided_grammar: [],
      guided_whitespace_pattern: [],
      'structured_outputs.regex': [],
      'structured_outputs.grammar': [],
      'structured_outputs.structural_tag': [],
      'structured_outputs.whitespace_pattern': [],
      regex: [],
      ebnf: [],
      structural_tag: [],
      guideline: [],
    },
  ],
  [
    'Use `tools` and `tool_choice`.',
    { functions: [], function_call: ['none', 'auto'], tool_prompt: [], parse_tool_calls: [true] },
  ],
  [
    'Use `logprobs` and `top_logprobs`.',
    {
      n_probs: [0],
      post_sampling_probs: [false],
      prompt_logprobs: [],
      logprob_token_ids: [],
      top_n_tokens: [0],
      return_tokens_as_token_ids: [false],
    },
  ],
  [
    'Send `messages`; the reply is a new message of the assistant.',
    {
      prompt: [],
      input: [],
      inputs: [],
      input_ids: [],
      instructions: [],
      system: [],
      suffix: [],
      echo: [false],
      raw: [false],
      continue_final_message: [false],
      add_generation_prompt: [true],
      return_full_text: [false],
      documents: [],
      context: [],
      previous_response_id: [],
      session_params: [],
    },
  ],
  [
    'The service uses the chat template of its model.',
    {
      chat_template: [],
      template: [],
      add_special_tokens: [false],
      add_bos_token: [true],
      skip_special_tokens: [true],
      safe_prompt: [false],
      preset: [],
    },
  ],
  [
    'A prompt that does not fit is refused, never cut. Shorten the messages.',
    {
      truncate_prompt_tokens: [],
      prompt_truncate_len: [],
      truncate: [false],
      truncation: ['disabled'],
      truncation_length: [],
      shift: [false],
      context_length_exceeded_behavior: ['error'],
      context_overflow_policy: [],
      transforms: [],
    },
  ],
  [
    'The operator of the service sets the context window with PIPIT_CONTEXT_TOKENS.',
    { num_ctx: [], context_length: [] },
  ],
  [
    'The service has one model as it is.',
    {
      lora: [],
      lora_path: [],
      lora_request: [],
      adapter_id: [],
      guidance_scale: [1],
      negative_prompt: [],
      watermark: [false],
      watermarking: [false],
      safety_model: [],
    },
  ],
  [
    'Send its members as fields of the request, for example `temperature` and `max_tokens`.',
    { options: [{}], parameters: [{}], sampling_params: [{}], generation_config: [{}] },
  ],
  [
    'The model reads and writes text only.',
    { modalities: [['text']], audio: [], images: [], image_config: [] },
  ],
  [
    'The service searches nothing.',
    { web_search_options: [], enable_search: [false], search_options: [], plugins: [] },
  ],
  [
    'Leave it out.',
    {
      prediction: [],
      verbosity: ['medium'],
      'stream_options.include_obfuscation': [false],
      custom_params: [{}],
      vllm_xargs: [{}],
    },
  ],
  [
    'Use `reasoning_effort`, `enable_thinking` or `thinking_token_budget`.',
    { reasoning: [], think: [], thinking: [] },
  ],
  [
    'Thoughts are in `reasoning_content`. Use `enable_thinking` to turn them off.',
    {
      include_reasoning: [true],
      separate_reasoning: [true],
      stream_reasoning: [true],
      reasoning_format: ['auto', 'deepseek', 'parsed'],
    },
  ],
]

type Refused = {
  /** One sentence that tells the caller what to do instead. */
  readonly instead: string
  /** Values that change nothing, in addition to `null`, an empty string and an empty list. */
  readonly neutral: readonly Neutral[]
}

export const refusedParameters: Readonly<Record<string, Refused>> = Object.fromEntries(
  groups.flatMap(([instead, names]) =>
    Object.entries(names).map(([name, neutral]) => [name, { instead, neutral }]),
  ),
)
