/**
 * Chat templates for families for which the llama.cpp release has none, by their names in `families.ts`. That of Gemma 3
 * writes conversations as its model card describes; that of Phi-4-mini writes the same as the published one.
 */
export const ownTemplates: Readonly<Record<string, string>> = {
  'ours/gemma-3': [
    '{{ bos_token }}',
    "{% set hasSystem = messages[0].role == 'system' %}",
    '{% for message in (messages[1:] if hasSystem else messages) %}',
    String.raw`{{ '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\n' }}`,
    String.raw`{% if loop.first and hasSystem %}{{ messages[0].content + '\n\n' }}{% endif %}`,
    String.raw`{{ message.content | trim + '<end_of_turn>\n' }}`,
    '{% endfor %}',
    String.raw`{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}`,
  ].join(''),
  // The tools are a text in a field of the system message, which no request has.
  'ours/phi-4-mini': [
    '{% for message in messages %}',
    "{% if message['role'] == 'system' and 'tools' in message and message['tools'] is not none %}",
    "{{ '<|' + message['role'] + '|>' + message['content'] }}",
    "{{ '<|tool|>' + message['tools'] + '<|/tool|>' + '<|end|>' }}",
    '{% else %}',
    "{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}",
    '{% endif %}',
    '{% endfor %}',
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% else %}{{ eos_token }}{% endif %}",
  ].join(''),
}
