import { readKnown, type KnownWords } from './read-said.ts'
import { weighWords, type WeighedWords } from './weigh-words.ts'

/** A possible target statement. */
interface Statement {
  readonly text: string
  readonly terms: WeighedWords
  place: number
  /** The analysed text, read on first use, since most are never targets. */
  known?: KnownWords
}

/** A statement that shares a word with the turn. */
export interface NearStatement {
  readonly place: number
  readonly known: KnownWords
}

/** Indexes the known statements by word. It persists over turns, so that only new statements are analysed. */
export class KnownStatements<Key = string> {
  #statements = new Map<Key, Statement>()
  #keys: readonly Key[] = []
  readonly #byTerm = new Map<string, Set<Statement>>()

  get size(): number {
    return this.#statements.size
  }

  /** Replaces the statements with these, in this order. */
  hold(keys: readonly Key[], textOf: (key: Key) => string): this {
    if (keys.length === this.#keys.length && keys.every((key, i) => key === this.#keys[i])) return this
    this.#keys = keys
    const statements = new Map<Key, Statement>()
    for (const key of keys) {
      const statement = this.#statements.get(key) ?? this.#add(textOf(key))
      statement.place = statements.size
      statements.set(key, statement)
    }
    for (const [key, statement] of this.#statements) if (!statements.has(key)) this.#remove(statement)
    this.#statements = statements
    return this
  }

  /** Reports whether any statement shares a word with a text. */
  shareWord(text: string): boolean {
    return [...weighWords(text).keys()].some((term) => this.#byTerm.has(term))
  }

  /** Returns how many statements contain a word. */
  timesOf(term: string): number {
    return this.#byTerm.get(term)?.size ?? 0
  }

  /** Returns the statements that share a word, in order. */
  near(terms: WeighedWords): NearStatement[] {
    const found = new Set<Statement>()
    for (const term of terms.keys())
      for (const statement of this.#byTerm.get(term) ?? []) found.add(statement)
    return [...found]
      .sort((a, b) => a.place - b.place)
      .map((statement) => ({
        place: statement.place,
        known: (statement.known ??= readKnown(statement.text, statement.terms)),
      }))
  }

  #add(text: string): Statement {
    const statement: Statement = { text, terms: weighWords(text), place: 0 }
    for (const term of statement.terms.keys()) {
      const known = this.#byTerm.get(term)
      if (known === undefined) this.#byTerm.set(term, new Set([statement]))
      else known.add(statement)
    }
    return statement
  }

  #remove(statement: Statement): void {
    for (const term of statement.terms.keys()) {
      const known = this.#byTerm.get(term)
      known?.delete(statement)
      if (known?.size === 0) this.#byTerm.delete(term)
    }
  }
}

/** Indexes statements by their texts alone. */
export function statementsOf(texts: readonly string[]): KnownStatements<number> {
  return new KnownStatements<number>().hold([...texts.keys()], (index) => texts[index] ?? '')
}
