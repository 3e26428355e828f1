import { expect, test } from 'vitest'
import { detectDialect } from './detect-dialect.ts'

test('the variables are those that the template or the one for tools reads', () => {
  const template = '{% for message in messages %}{{ message.content ~ persona }}{% endfor %}'
  const toolTemplate = '{% set persona = 1 %}{{ tools ~ persona ~ date_string }}'
  expect(detectDialect(template, toolTemplate).variables).toEqual([
    'messages',
    'persona',
    'tools',
    'date_string',
  ])
})

test('every word counts as a variable in a template that cannot be parsed', () => {
  const template = "{% include 'a' %}{{ messages[0].content }}{% if persona %}"
  expect(detectDialect(template).variables).toEqual(['include', 'messages', 'if', 'persona'])
})
