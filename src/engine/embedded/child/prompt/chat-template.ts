import { createContext, Script } from 'node:vm'
import type { ChatMessage, TemplateVariables } from '../../../engine.ts'
import { toolsAsText, withCalls } from '../../../tools-as-text.ts'
import { detectToolForm } from '../../../tool-forms/detect-tool-form.ts'
import { inOrderOfCalls, type Tool, toolObject } from '../../../tools.ts'
import { JinjaTemplate } from '../jinja/template.ts'
import { parseJson } from '../jinja/values/parse-json.ts'
import { strftime } from '../jinja/values/strftime.ts'
import { threadCpuUsage } from '../processor-time.ts'
import { newNonce } from '../new-nonce.ts'
import { CallMarks } from './call-marks.ts'
import { type ForgeableTexts, ForgeryBreaker } from './forgery-breaker.ts'
import { type MessageShape, shapeMessages, shapeOf, type ShapedMessage } from './shape-messages.ts'
import { abilitiesOf, type TemplateAbilities, withParts } from './template-abilities.ts'
import { ThoughtMembers } from './thought-members.ts'

/** A part of a prompt: the template's own text, or the text of a message. */
export type PromptPart =
  | { readonly source: 'template'; readonly text: string }
  /** `isReply`: the model generated it. */
  | { readonly source: 'message'; readonly text: string; readonly isReply: boolean }

/** Thrown when the template raises an error for a conversation; the message is the template's. */
export class ConversationRefused extends Error {
  override readonly name = 'ConversationRefused'
}

/** Thrown when rendering takes too long because other programs take the processor. It may succeed later. */
export class MachineBusy extends Error {
  override readonly name = 'MachineBusy'

  constructor() {
    super('it takes too long, because the machine is busy')
  }
}

const renderTimeoutMs = 1000
/** Time limit of a second try. It follows if the first one got little processor time because of other programs. */
const starvedTimeoutMs = 3000
const renderedCharsMax = 4 * 1024 * 1024

/** Thrown when rendering takes too long. */
class TemplateTooSlow extends ConversationRefused {
  constructor() {
    super('it takes too long')
  }
}

export class ChatTemplate {
  readonly #template: JinjaTemplate
  readonly #constants: Readonly<Record<string, string>>
  readonly #forgeable: ForgeableTexts
  readonly #thoughts: ThoughtMembers
  readonly #source: string
  /** Found at the first rendering. */
  #foundShape: MessageShape | undefined
  /** True if the template describes tools and writes calls in a form that this service reads. */
  readonly #knowsTools: boolean
  /**
   * Variables that stand for a lack of tools: `tools` is none, as in transformers, if the template tests for that. Otherwise
   * the name is not set, as in llama-server, because some templates loop over it.
   */
  readonly #emptyTools: { readonly tools?: null }
  /** Stops a template that runs too long: it is a program from the model's file. */
  readonly #watchdog = createContext({ render: (): string => '' })
  readonly #script = new Script('render()')

  /** @throws Error when the source is not a template */
  constructor(
    source: string,
    constants: { bos_token: string; eos_token: string },
    forgeable: ForgeableTexts,
    knowsTools = detectToolForm(source) !== undefined,
  ) {
    this.#template = new JinjaTemplate(source)
    this.#constants = constants
    this.#forgeable = forgeable
    this.#thoughts = new ThoughtMembers(source)
    this.#knowsTools = knowsTools
    this.#emptyTools = /\btools is (not )?none\b/i.test(source) ? { tools: null } : {}
    this.#source = source
  }

  /**
   * Renders the prompt in parts. It renders a placeholder for the content of each message, so that
   * a user's text is never taken for the template's. Forgeable texts inside tools, which the
   * template writes as JSON, are broken up instead.
   * @throws ConversationRefused, MachineBusy
   */
  render(
    conversation: readonly ChatMessage[],
    allTools: readonly Tool[] = [],
    variables: TemplateVariables = {},
  ): PromptPart[] {
    const ordered = inOrderOfCalls(conversation)
    const marks = new CallMarks()
    const known = this.#knowsTools
      ? withCalls(ordered, this.#source, (mark) => marks.add(mark))
      : toolsAsText(ordered, allTools)
    const tools = this.#knowsTools ? allTools.map((tool) => toolObject(tool, parseJson)) : []
    const parts = this.#renderParts(known, tools, variables)
    return parts.flatMap((part) =>
      marks
        .split(part.text)
        .map(({ text, isMark }) => (isMark ? templatePart(text) : { ...part, text })),
    )
  }

  #renderParts(
    known: readonly ChatMessage[],
    tools: readonly object[],
    variables: TemplateVariables,
  ): PromptPart[] {
    const shape = this.#shape
    const shaped = shapeMessages(known, shape).map((message) => this.#thoughts.fit(message))
    const objectOf = (message: ShapedMessage) => ({
      ...messageObject(message, shape),
      ...this.#thoughts.of(message),
    })
    const typed = (list: readonly object[]) => (shape.needsParts ? list.map(withParts) : list)
    const plainOf = (list: readonly ShapedMessage[]) =>
      this.#renderText(typed(list.map(objectOf)), tools, variables)
    const plain = plainOf(shaped)
    const messages = this.#thoughts.apart(shaped, (moved) => {
      try {
        return plainOf(moved) === plain
      } catch (error) {
        if (error instanceof ConversationRefused) return false
        throw error
      }
    })
    const objects = messages.map(objectOf)
    const nonce = newNonce()
    const breaker = new ForgeryBreaker(this.#forgeable)
    const place = (cutter: ForgeryBreaker): PromptPart[] => {
      const placed = this.#renderText(
        typed(
          objects.map((object, index) => ({
            ...cutter.break({ ...object, content: '' }),
            // Templates test whether a message with calls has a text too.
            content:
              object.content === '' && object.tool_calls !== undefined
                ? ''
                : `\f${nonce}:${index}\f`,
          })),
        ),
        cutter.breakTools(tools),
        cutter.break(variables),
      )
      return splitAtPlaceholders(placed, nonce, messages).flatMap((part) =>
        part.source === 'message' ? [part] : cutter.split(part.text).map(templatePart),
      )
    }
    const parts = place(breaker)
    if (textOf(parts) === plain) return parts
    if (breaker.hasBegunNames) {
      // If the template sorts the names of arguments, the breaks may have changed their order.
      const sortable = place(new ForgeryBreaker(this.#forgeable, { beginsAllNames: true }))
      if (textOf(sortable) === plain) return sortable
    }
    // The template's text depends on the contents (it removes thoughts, or greets by name).
    return this.#renderBroken({ objects, typed, tools, variables }, breaker)
  }

  /** Renders the prompt with breaks in the callers' texts, for a template that looks at the contents of the messages. */
  #renderBroken(
    { objects, typed, tools, variables }: Rendering,
    breaker: ForgeryBreaker,
  ): PromptPart[] {
    const write = (
      cutter: ForgeryBreaker,
      replyOf: (content: string, index: number) => string,
    ): string => {
      const broken = objects.map((object, index) => ({
        ...cutter.break(object),
        ...(object.role === 'assistant' && { content: replyOf(object.content, index) }),
      }))
      return this.#renderText(typed(broken), cutter.breakTools(tools), cutter.break(variables))
    }
    // Keeps the marks of a reply if the template only uses them to find and remove a thought. Breaks them up if the
    // template would write them into the prompt.
    const probed = write(breaker, (content, index) => breaker.probeReply(content, index))
    const pieces = (cutter: ForgeryBreaker): string[] => {
      const rendered = write(cutter, (content, index) =>
        breaker.writesMarks(probed, content, index)
          ? cutter.break(content)
          : cutter.breakReply(content),
      )
      return cutter.split(rendered)
    }
    const usual = pieces(breaker)
    // A template that deletes a word from a content can join the two ends of a forged text around it.
    const strict = pieces(new ForgeryBreaker(this.#forgeable, { isStrict: true }))
    const isForged = this.#specialsOf(usual).join() !== this.#specialsOf(strict).join()
    return (isForged ? strict : usual).map(templatePart)
  }

  #specialsOf(pieces: readonly string[]): string[] {
    return pieces.flatMap((piece) => [...this.#forgeable.find(piece).values()])
  }

  /** Returns the shape that the template needs. Probing for it stops at the first probe that takes too long. */
  get #shape(): MessageShape {
    this.#foundShape ??= shapeOf(this.#source, this.#findAbilities())
    return this.#foundShape
  }

  #findAbilities(): TemplateAbilities {
    return abilitiesOf((messages, tools = []) => {
      try {
        return this.#renderText(messages, tools, {})
      } catch (error) {
        if (error instanceof TemplateTooSlow || error instanceof MachineBusy) throw error
        return undefined
      }
    })
  }

  #renderText(
    messages: readonly object[],
    tools: readonly object[],
    variables: TemplateVariables,
  ): string {
    const now = new Date()
    const values = {
      // Models that can think do so unless a request says otherwise, as in llama-server.
      enable_thinking: true,
      // Names that templates use for the date, besides the function `strftime_now`.
      date_string: strftime(now, '%d %b %Y'),
      datetime: strftime(now, '%b %d %Y'),
      ...variables,
      ...this.#constants,
      messages,
      // An empty list would make some templates write a section for tools.
      ...(tools.length > 0 ? { tools } : this.#emptyTools),
      functions: tools.length > 0 ? JSON.stringify(tools) : '',
      add_generation_prompt: true,
    }
    this.#watchdog['render'] = () => this.#template.render(values)
    const rendered = this.#renderWatched()
    if (typeof rendered !== 'string' || rendered.length > renderedCharsMax) {
      throw new ConversationRefused('the rendered prompt is too long')
    }
    return rendered
  }

  /**
   * @throws ConversationRefused for an error of the template, or when it takes too long; MachineBusy when both tries got
   * little processor time
   */
  #renderWatched(): unknown {
    try {
      return this.#renderWithin(renderTimeoutMs)
    } catch (error) {
      if (!(error instanceof MachineBusy)) throw error
      return this.#renderWithin(starvedTimeoutMs)
    }
  }

  #renderWithin(timeout: number): unknown {
    const before = threadCpuUsage()
    try {
      return this.#script.runInContext(this.#watchdog, { timeout })
    } catch (error) {
      if (!isTimeout(error)) throw new ConversationRefused(reasonOf(error))
      const { user, system } = threadCpuUsage(before)
      const isStarved = user + system < 1000 * (renderTimeoutMs / 2)
      throw isStarved ? new MachineBusy() : new TemplateTooSlow()
    }
  }
}

type Rendering = {
  readonly objects: readonly TemplateMessage[]
  /** Gives the messages the form that the template needs. */
  readonly typed: (list: readonly object[]) => readonly object[]
  readonly tools: readonly object[]
  readonly variables: TemplateVariables
}

type TemplateMessage = {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly object[]
}

function messageObject(message: ShapedMessage, shape: MessageShape): TemplateMessage {
  const { role, content, toolCalls, toolCallId, toolResponses } = message
  const calls = toolCalls?.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: shape.needsArgumentsText ? text : parseJson(text) },
  }))
  return {
    role,
    content,
    ...(calls !== undefined && { tool_calls: calls }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(toolResponses !== undefined && { tool_responses: toolResponses }),
  }
}

/** Matches the part of a placeholder after the nonce. */
const placeholderRest = /^:(\d+)(\f?)/

/**
 * Replaces the placeholders with the messages' contents. The form feeds around a placeholder show
 * on which sides the template trims. The nonce is not part of a regular expression, because V8
 * would compile each one to machine code: megabytes until the next garbage collection.
 */
function splitAtPlaceholders(
  rendered: string,
  nonce: string,
  messages: readonly ChatMessage[],
): PromptPart[] {
  let [text = '', ...pieces] = rendered.split(nonce)
  const parts: PromptPart[] = []
  const endText = (): void => {
    if (text !== '') parts.push(templatePart(text))
  }
  for (const piece of pieces) {
    const [rest = '', message, after] = placeholderRest.exec(piece) ?? []
    if (message === undefined) {
      // The template has cut the placeholder; the caller finds that the text differs from the
      // prompt.
      text += nonce + piece
      continue
    }
    const trimsStart = !text.endsWith('\f')
    if (!trimsStart) text = text.slice(0, -1)
    endText()
    text = piece.slice(rest.length)
    const { role, content: whole = '' } = messages[Number(message)] ?? {}
    let content = whole
    if (trimsStart) content = content.trimStart()
    if (after === '') content = content.trimEnd()
    parts.push(messagePart(content, role === 'assistant'))
  }
  endText()
  return parts
}

function textOf(parts: readonly PromptPart[]): string {
  return parts.map(({ text }) => text).join('')
}

function templatePart(text: string): PromptPart {
  return { source: 'template', text }
}

function messagePart(text: string, isReply = false): PromptPart {
  return { source: 'message', text, isReply }
}

/** The watchdog's error comes from another V8 context, so it is not an instance of this `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it fails'
  return message.replaceAll(/\s+/g, ' ').slice(0, 200)
}
