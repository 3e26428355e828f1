/** Renders messages and tools; undefined when the template refuses them. */
type ProbeRender = (messages: readonly object[], tools?: readonly object[]) => string | undefined

/** The forms of messages that a chat template understands, found by rendering small conversations. */
export type TemplateAbilities = {
  /** Writes a system message at the start. */
  readonly hasSystem: boolean
  /** Writes a system message at the start, but not if a result of a call comes last. */
  readonly hidesSystemAfterCalls: boolean
  /** Writes a system message between others, and those before it. */
  readonly hasLaterSystem: boolean
  /** Accepts a message of the user after the result of a call. */
  readonly hasUserAfterResults: boolean
  /** Accepts a reply without text. */
  readonly hasEmptyReplies: boolean
  /** Accepts two messages of the user in a row. */
  readonly hasRepeats: boolean
  /** Reads contents only as lists of typed parts. */
  readonly needsParts: boolean
  /** Reads a call's arguments as JSON text. */
  readonly needsArgumentsText: boolean
  /** Writes several calls of one message. */
  readonly hasParallelCalls: boolean
  /**
   * Place for a text beside calls: the same message, a message of its own before them because it would hide them, or none
   * because it would hide them there too, or follow their results.
   */
  readonly textOfCalls: 'same' | 'own' | 'none'
  /** Accepts only call ids that consist of nine letters and digits. */
  readonly needsShortIds: boolean
}

const marker = 'Marker7'
const user = { role: 'user', content: 'Hello' }
const assistant = { role: 'assistant', content: 'Hello' }

export function abilitiesOf(render: ProbeRender): TemplateAbilities {
  const writes = (messages: readonly object[]) => render(messages)?.includes(marker) ?? false
  const system = { role: 'system', content: marker }
  const needsParts =
    !writes([{ role: 'user', content: marker }]) &&
    writes([{ role: 'user', content: [{ type: 'text', text: marker }] }])
  if (needsParts) return abilitiesWithParts(render)
  const hasSystem = writes([system, user]) && writes([system, user, assistant, user])
  const calls = toolAbilities(render)
  const first = { ...system, content: 'System7' }
  const round = toolRound(calls)
  const hidden = render([first, ...round], tools)?.includes('System7') === false
  // Some templates write the last system message only.
  const laterSystems = [
    [user, assistant, system, user],
    [first, user, assistant, system, user],
    [first, system, user],
  ]
  return {
    hasSystem,
    hidesSystemAfterCalls: hasSystem && hidden,
    hasLaterSystem: hasSystem && laterSystems.every((messages) => writesAll(render, messages)),
    hasUserAfterResults:
      render(round, tools) === undefined || render([...round, user], tools) !== undefined,
    hasEmptyReplies:
      render([user, assistant, user]) === undefined ||
      render([user, { ...assistant, content: '' }, user]) !== undefined,
    hasRepeats: render([user]) === undefined || writes([user, { role: 'user', content: marker }]),
    needsParts,
    ...calls,
  }
}

function writesAll(render: ProbeRender, messages: readonly { content: string }[]): boolean {
  const rendered = render(messages)
  return messages.every(({ content }) => rendered?.includes(content))
}

/** Probes a template that reads contents only as typed parts. All probes have their contents in this form. */
function abilitiesWithParts(render: ProbeRender): TemplateAbilities {
  const typed: ProbeRender = (messages, tools) => render(messages.map(withParts), tools)
  return { ...abilitiesOf((messages, tools) => typed(messages, tools)), needsParts: true }
}

/** Returns the message with its content as a list of typed parts. */
export function withParts(message: object): object {
  if (!('content' in message) || typeof message.content !== 'string') return message
  return { ...message, content: [{ type: 'text', text: message.content }] }
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'find',
      description: 'Finds a place.',
      parameters: {
        type: 'object',
        properties: { place: { type: 'string', description: marker } },
        required: ['place'],
      },
    },
  },
]

type ToolAbilities = Pick<
  TemplateAbilities,
  'needsArgumentsText' | 'needsShortIds' | 'hasParallelCalls' | 'textOfCalls'
>

function toolAbilities(render: ProbeRender): ToolAbilities {
  const rendered = (...calls: Call[]) => {
    const results = calls.map(([id]) => ({ role: 'tool', content: 'Found', tool_call_id: id }))
    return render([user, callMessage(calls), ...results], tools)
  }
  const asObject = rendered(['call00001', { place: 'Bern7' }])
  const asText = rendered(['call00001', '{"place": "Bern7"}'])
  const isPython = asObject?.includes("{'place': 'Bern7'}") ?? true
  const needsArgumentsText = isPython && asText !== undefined
  const best = needsArgumentsText ? asText : asObject
  const find = (place: string) => (needsArgumentsText ? JSON.stringify({ place }) : { place })
  const both = rendered(['call00001', find('Bern7')], ['call00002', find('Ulm8')])
  const hasCalls = best?.includes('Bern7') ?? false
  return {
    needsArgumentsText,
    // Some templates refuse several calls; others write only the first one.
    hasParallelCalls:
      best === undefined || (both !== undefined && (!hasCalls || both.includes('Ulm8'))),
    textOfCalls: hasCalls ? textOfCalls(render, find('Bern7')) : 'same',
    needsShortIds:
      best !== undefined && rendered(['call_0123456789abcdef', find('Bern7')]) === undefined,
  }
}

function textOfCalls(
  render: ProbeRender,
  callArguments: unknown,
): TemplateAbilities['textOfCalls'] {
  const text = { role: 'assistant', content: 'Text9' }
  const call = callMessage([['call00001', callArguments]])
  const joined = render([user, { ...call, ...text }, foundResult], tools)
  if (joined === undefined) return 'same'
  if (joined.includes('Bern7'))
    return joined.indexOf('Text9') > joined.lastIndexOf('Found') ? 'none' : 'same'
  const split = render([user, text, call, foundResult], tools)
  return split?.includes('Text9') === true && split.includes('Bern7') ? 'own' : 'none'
}

/** Returns a request, a call and its result. */
function toolRound({ needsArgumentsText }: ToolAbilities): readonly object[] {
  const place = { place: 'Bern7' }
  const call = callMessage([['call00001', needsArgumentsText ? JSON.stringify(place) : place]])
  return [user, call, foundResult]
}

const foundResult = { role: 'tool', content: 'Found', tool_call_id: 'call00001' }

/** A call's id and its arguments. */
type Call = [id: string, callArguments: unknown]

function callMessage(calls: readonly Call[]): object {
  return {
    role: 'assistant',
    content: '',
    tool_calls: calls.map(([id, callArguments]) => ({
      id,
      type: 'function',
      function: { name: 'find', arguments: callArguments },
    })),
  }
}
