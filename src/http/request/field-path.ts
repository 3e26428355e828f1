/** The path of a value in a body, such as `messages[0].content`, with the value. */
export class FieldPath {
  readonly text: string
  readonly value: unknown

  constructor(text: string, value: unknown) {
    this.text = text
    this.value = value
  }

  /** True for a part of a message's content. */
  get isPart(): boolean {
    return /^messages\[\d+\]\.content\[\d+\]$/.test(this.text)
  }

  /** True for the `type` of a part of a message's content. */
  get isPartType(): boolean {
    return /^messages\[\d+\]\.content\[\d+\]\.type$/.test(this.text)
  }

  /** Returns the path of a member that the value lacks. */
  member(name: string): FieldPath {
    return new FieldPath(this.text === '' ? name : `${this.text}.${name}`, undefined)
  }

  /** The path in backticks, for an error message. */
  get code(): string {
    return `\`${this.text}\``
  }
}

/** Turns a JSON Pointer (RFC 6901) into a path with its value in the body. */
export function toFieldPath(pointer: string, body: unknown): FieldPath {
  let text = ''
  let value = body
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) text += `[${name}]`
    else text += text === '' ? name : `.${name}`
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  }
  return new FieldPath(text, value)
}
