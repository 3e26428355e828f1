/**
 * Chat templates for families for which the llama.cpp release has none, by their names in `families.ts`. They write
 * conversations as the family's model card describes.
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
  'ours/phi-4-mini': [
    '{% for message in messages %}',
    "{{ '<|' + message.role + '|>' + message.content + '<|end|>' }}",
    '{% endfor %}',
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}",
  ].join(''),
}
