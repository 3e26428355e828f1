import { ServiceError } from '../../errors.ts'

/** The longest that a value of a query may be; the longest name is far shorter. */
const charsMax = 512

/** The parameters of a URL, each read once and refused in words. */
export class Query {
  readonly #values: Readonly<Record<string, unknown>>

  /** @throws ServiceError unsupported_parameter, for a name that is not among `names` */
  constructor(values: unknown, names: readonly string[]) {
    this.#values = { ...(values as Record<string, unknown>) }
    const unknown = Object.keys(this.#values).find((name) => !names.includes(name))
    if (unknown === undefined) return
    const known = names.map((name) => `\`${name}\``).join(', ')
    throw new ServiceError('unsupported_parameter', `This URL takes ${known} only.`, {
      param: unknown.slice(0, 64),
    })
  }

  /** @throws ServiceError invalid_type, string_above_max_length */
  text(name: string): string | undefined {
    const value = this.#values[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string')
      throw new ServiceError('invalid_type', `\`${name}\` must be given once.`, { param: name })
    if (value.length > charsMax)
      throw new ServiceError(
        'string_above_max_length',
        `\`${name}\` is too long: at most ${charsMax} characters.`,
        { param: name },
      )
    return value
  }

  /** @throws ServiceError invalid_type, invalid_value */
  choice<const Choice extends string>(
    name: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    const text = this.text(name)
    const choice = choices.find((one) => one === text)
    if (text === undefined || choice !== undefined) return choice
    throw new ServiceError(
      'invalid_value',
      `\`${name}\` must be one of ${choices.map((one) => `\`${one}\``).join(', ')}.`,
      { param: name },
    )
  }

  /** @throws ServiceError invalid_type, integer_below_min_value, integer_above_max_value */
  integer(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^-?\d{1,16}$/.test(text))
      throw new ServiceError('invalid_type', `\`${name}\` must be a whole number.`, { param: name })
    const value = Number(text)
    if (value < min)
      throw new ServiceError('integer_below_min_value', `\`${name}\` must be at least ${min}.`, {
        param: name,
      })
    if (value > max)
      throw new ServiceError('integer_above_max_value', `\`${name}\` must be at most ${max}.`, {
        param: name,
      })
    return value
  }

  /** Milliseconds since 1970. */
  time(name: string): number | undefined {
    return this.integer(name, { min: 0, max: timeMsMax })
  }
}

/** The end of the year 9999. */
const timeMsMax = 253_402_300_799_999
