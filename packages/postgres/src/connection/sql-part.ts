/** What can be bound to a statement. */
export type SqlValue =
  string | number | boolean | Uint8Array | null | readonly (string | number | boolean | Uint8Array | null)[]

/** A piece of a statement: its text between the values bound in it. */
export interface SqlPart {
  /** One more than there are values. */
  readonly texts: readonly string[]
  readonly values: readonly SqlValue[]
}

/** What stands in a template: a value, which is bound, or a piece of the statement. */
export type Inserted = SqlValue | SqlPart

function isPart(given: Inserted): given is SqlPart {
  return typeof given === 'object' && given !== null && 'texts' in given
}

/** A piece of a statement, to be run or to be inserted into others. What is inserted is bound, never part of the text. */
export function part(source: TemplateStringsArray, ...given: Inserted[]): SqlPart {
  const texts: string[] = [source[0] ?? '']
  const values: SqlValue[] = []
  const say = (text: string): void => void texts.push(`${texts.pop() ?? ''}${text}`)
  for (const [index, one] of given.entries()) {
    if (isPart(one)) {
      say(one.texts[0] ?? '')
      values.push(...one.values)
      texts.push(...one.texts.slice(1))
    } else {
      values.push(one)
      texts.push('')
    }
    say(source[index + 1] ?? '')
  }
  return { texts, values }
}

/** A name that the code gives, of a table or a column: never data. */
export function name(text: string): SqlPart {
  return { texts: [text], values: [] }
}

/** The text as Postgres reads it, with `$1` and so on for what is bound. */
export function textOf({ texts }: SqlPart): string {
  return texts.reduce((said, text, index) => `${said}$${index}${text}`)
}

/**
 * The conditions of a query, in order. What is not asked for is left out rather than made optional, so that one person's rows
 * are found by an index among everybody's.
 */
export class Where {
  #condition: SqlPart | null = null

  and(...condition: Parameters<typeof part>): this {
    const next = part(...condition)
    this.#condition = this.#condition === null ? next : part`${this.#condition} AND ${next}`
    return this
  }

  /** Unless it is `undefined`: not asked for. */
  equal(column: string, value: string | number | undefined): this {
    return value === undefined ? this : this.and`${name(column)} = ${value}`
  }

  /** Unless it is `undefined`. An empty list holds for no row. */
  among(column: string, list: readonly (string | number)[] | undefined): this {
    if (list === undefined) return this
    const [only] = list
    if (only !== undefined && list.length === 1) return this.equal(column, only)
    return this.and`${name(column)} = ANY(${list})`
  }

  get part(): SqlPart {
    return this.#condition ?? name('TRUE')
  }
}
