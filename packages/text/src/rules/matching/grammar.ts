import {
  ahead,
  always,
  anyOf,
  end,
  inOrder,
  one,
  optional,
  repeated,
  slotOf,
  span,
  unless,
  word,
} from './parts.ts'
import type { Part, Slot } from './parts.ts'
import type { Word } from './word.ts'

/** A compiled pattern: matches at a word and returns its slots, or `null`. */
export interface Pattern {
  match(words: readonly Word[], from: number): readonly Slot[] | null
  /** Sets of words. The pattern matches only where each set has a word. */
  readonly needs: readonly ReadonlySet<string>[]
}

/** Tests of a word by name. */
export type WordKinds = Readonly<Record<string, (word: Word) => boolean>>

/** The state of a pattern parser. */
interface Source {
  readonly text: string
  readonly tokens: readonly RegExpExecArray[]
  at: number
}

const TOKEN =
  /\{[^{}]*\}|<[^<>]*>|[()[\]|*+!&.。_]|\p{Script=Han}+|[^\s()[\]{}<>|*+!&.。_\p{Script=Han}]+|\S/gu
const PHRASE = /^(?:([a-z]+):)?(?:(\d+)\.\.(\d+)|([a-z-]+))(?:\/(!?)([a-z-]+))?$/
const TAG = /^(?:ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB)$/

/** Reports an invalid pattern: the fault and its place. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

function wrong({ text, tokens, at }: Source, what: string): PatternError {
  return new PatternError(
    `"${text}" is wrong at character ${(tokens[at]?.index ?? text.length) + 1}: ${what}`,
  )
}

/**
 * Patterns over the words of a language, in the notation that `rule.ts` explains.
 *
 * @example
 * const grammar = new Grammar({ live: 'live|reside' }, (text) => [text])
 * grammar.pattern('I <live> in {place:1..3} .')(tag('I live in Lyon'), 0) // [{ name: 'place', from: 3, to: 4 }]
 */
export class Grammar {
  readonly #phrases: Readonly<Record<string, string>>
  readonly #split: (text: string) => readonly string[]
  readonly #kinds: WordKinds
  /** Compiled phrases, `null` during compilation. */
  readonly #read = new Map<string, Part | null>()

  /**
   * @param phrases patterns by the name that `<name>` and `{name}` refer to. No `{1..8}` begins with `hollow`, and
   * `tail` may precede an end.
   * @param split splits the words of a pattern like the language's sentences
   * @param kinds tests of a word by the name that patterns have in capitals
   */
  constructor(
    phrases: Readonly<Record<string, string>>,
    split: (text: string) => readonly string[],
    kinds: WordKinds = {},
  ) {
    this.#phrases = phrases
    this.#split = split
    this.#kinds = kinds
  }

  /** @throws PatternError */
  pattern(source: string): Pattern {
    const { step, needs = [] } = this.#part(source)
    const match: Pattern['match'] = (words, from) => {
      const slots: Slot[] = []
      return step(words, from, slots, always) ? slots : null
    }
    return { match, needs }
  }

  /**
   * Returns a test whether words match at a place. Compiles on first use, since modules define many. @throws
   * PatternError then
   */
  test(source: string): (words: readonly Word[], at: number) => boolean {
    const part = this.#later(source)
    return (words, index) => part().step(words, index, [], always)
  }

  /** Returns a function for the end of a match at a place, which is the place itself if nothing matches. */
  end(source: string): (words: readonly Word[], at: number) => number {
    const part = this.#later(source)
    return (words, index) => {
      let end = index
      part().step(words, index, [], (to) => (end = to) >= 0)
      return end
    }
  }

  /** Returns a test whether words match anywhere. */
  search(source: string): (words: readonly Word[]) => boolean {
    const part = this.#later(source)
    return (words) => {
      const { step, firsts } = part()
      const mayBegin = ({ lower, lemma }: Word): boolean =>
        firsts === undefined || firsts.has(lower) || firsts.has(lemma)
      return words.some((word, index) => mayBegin(word) && step(words, index, [], always))
    }
  }

  #later(source: string): () => Part {
    let part: Part | undefined
    return () => (part ??= this.#part(source))
  }

  #part(text: string): Part {
    const source = { text, tokens: [...text.matchAll(TOKEN)], at: 0 }
    const part = this.#choice(source)
    if (source.at < source.tokens.length) throw wrong(source, 'it closes nothing')
    return part
  }

  #choice(source: Source): Part {
    const options: (readonly Part[])[] = []
    do options.push(this.#sequence(source))
    while (takes(source, '|'))
    const [only] = options
    return options.length === 1 && only !== undefined ? inOrder(only) : anyOf(options)
  }

  #sequence(source: Source): Part[] {
    const parts: Part[] = []
    for (let text = peek(source); text !== '' && !/^[)\]|]$/.test(text); text = peek(source)) {
      const item = this.#item(source)
      if (takes(source, '*')) parts.push(repeated(inOrder(item)))
      else if (takes(source, '+')) parts.push(...item, repeated(inOrder(item)))
      else parts.push(...item)
    }
    if (parts.length === 0) throw wrong(source, 'words are missing')
    return parts
  }

  #item(source: Source): Part[] {
    if (takes(source, '!')) return [unless(inOrder(this.#item(source)))]
    if (takes(source, '&')) return [ahead(inOrder(this.#item(source)))]
    if (takes(source, '(')) return [this.#group(source, ')')]
    if (takes(source, '[')) return [optional(this.#group(source, ']'))]
    const text = peek(source)
    if (/^[{}<>*+]?$/.test(text)) throw wrong(source, `“${text}” stands alone`)
    const parts = this.#words(source, text)
    source.at++
    return parts
  }

  #group(source: Source, close: string): Part {
    const inner = this.#choice(source)
    if (!takes(source, close)) throw wrong(source, `“${close}” is missing`)
    return inner
  }

  #words(source: Source, text: string): Part[] {
    if (text.startsWith('<') || text.startsWith('{')) return [this.#called(source, text)]
    if (text === '.' || text === '。')
      return Object.hasOwn(this.#phrases, 'tail') ? [repeated(this.#phrase('tail')), end] : [end]
    const test = this.#kinds[text] ?? testOf(text)
    return test === null ? this.#split(text).map(word) : [one(test)]
  }

  #called(source: Source, text: string): Part {
    const [, name, least, most, phrase = '', not, last] = PHRASE.exec(text.slice(1, -1)) ?? []
    for (const called of [last, least === undefined ? phrase : undefined])
      if (called !== undefined && !Object.hasOwn(this.#phrases, called))
        throw wrong(source, `there is no phrase “${called === '' ? text : called}”`)
    const hollow = Object.hasOwn(this.#phrases, 'hollow') ? [unless(this.#phrase('hollow'))] : []
    const part =
      least === undefined ? this.#phrase(phrase) : inOrder([...hollow, span(Number(least), Number(most))])
    const kept = text.startsWith('<') ? null : (name ?? (phrase === '' ? 'value' : phrase))
    return slotOf(kept, part, last === undefined ? undefined : this.#phrase(last), not === '')
  }

  /** Compiles a phrase once. Phrases may contain each other and themselves. */
  #phrase(name: string): Part {
    const known = this.#read.get(name)
    if (known === null) return { step: (...given) => this.#phrase(name).step(...given) }
    if (known !== undefined) return known
    this.#read.set(name, null)
    const part = this.#part(this.#phrases[name] ?? '')
    this.#read.set(name, part)
    return part
  }
}

function peek(source: Source): string {
  return source.tokens[source.at]?.[0] ?? ''
}

function takes(source: Source, text: string): boolean {
  if (peek(source) !== text) return false
  source.at++
  return true
}

/** Returns a test of a word's features for capitals, a leading hyphen or `#`, and `null` for plain words. */
function testOf(text: string): ((word: Word) => boolean) | null {
  if (text === '_') return () => true
  if (text === 'CAPITAL') return (word) => /^\p{Lu}[\p{L}\p{M}\p{N}'’.& -]*$/u.test(word.text)
  if (text === 'DIGITS') return (word) => /^\d/.test(word.text)
  if (text === 'INFLECTED') return (word) => word.lower !== word.lemma
  if (TAG.test(text)) return (word) => word.pos === text
  if (/^-\p{L}/u.test(text)) return (word) => word.lower.endsWith(text.slice(1))
  if (!text.includes('#')) return null
  const shape = new RegExp(`^${text.replaceAll('#', String.raw`\d`)}$`)
  return (word) => shape.test(word.text)
}
