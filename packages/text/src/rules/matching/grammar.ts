// Compiles the patterns of rules. rule.ts explains their signs, parts.ts matches them.
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

/** A compiled pattern. `match` tries it from one word on, and returns the filled slots, or `null` without a match. */
export interface Pattern {
  match(words: readonly Word[], from: number): readonly Slot[] | null
  /** Sets of words. The pattern can match a sentence only if the sentence has a word of each set. */
  readonly needs: readonly ReadonlySet<string>[]
}

/** Tests of a word by name. */
export type WordKinds = Readonly<Record<string, (word: Word) => boolean>>

/** A pattern that is being parsed. `at` is the index of the next token. */
interface Source {
  readonly text: string
  readonly tokens: readonly RegExpExecArray[]
  at: number
}

/** Characters of the notation that are a token on their own. */
const MARKS = String.raw`()[\]|*+!&.。_`
/** Matches the tokens of a pattern: `{…}`, `<…>`, a mark, Chinese characters, another word, or a stray brace. */
const TOKEN = new RegExp(
  String.raw`\{[^{}]*\}|<[^<>]*>|[${MARKS}]|\p{Script=Han}+|[^\s{}<>${MARKS}\p{Script=Han}]+|\S`,
  'gu',
)
/** Matches the inside of `<…>` and `{…}`: `thing`, `what:thing`, `1..8`, `who:1..8`, `thing/trade`, `thing/!trade`. */
const REFERENCE =
  /^(?:(?<name>[a-z]+):)?(?:(?<minWords>\d+)\.\.(?<maxWords>\d+)|(?<phrase>[a-z-]+))(?:\/(?<not>!?)(?<ending>[a-z-]+))?$/
/** Matches a universal part-of-speech tag. */
const TAG = /^(?:ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB)$/

/** Reports an invalid pattern: the fault and its place. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/**
 * Compiles patterns over the words of a language. The table in `rule.ts` explains their notation.
 *
 * @example
 * const grammar = new Grammar({ live: 'live|reside' }, (text) => [text])
 * grammar.pattern('I <live> in {place:1..3} .')(tag('I live in Lyon'), 0) // [{ name: 'place', from: 3, to: 4 }]
 */
export class Grammar {
  readonly #phrases: Readonly<Record<string, string>>
  readonly #split: (text: string) => readonly string[]
  readonly #kinds: WordKinds
  /** Compiled phrases by name. A phrase is `null` while it is compiled. */
  readonly #compiledPhrases = new Map<string, Part | null>()

  /**
   * @param phrases patterns by the name that `<name>` and `{name}` refer to. Two names are special. Words that match `hollow` cannot
   * begin a slot such as `{1..8}`. Words that match `tail` may stand before the end of a clause.
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

  /** Compiles a pattern at once. @throws PatternError */
  pattern(source: string): Pattern {
    const { step, needs = [] } = this.#compile(source)
    const match: Pattern['match'] = (words, from) => {
      const slots: Slot[] = []
      return step(words, from, slots, always) ? slots : null
    }
    return { match, needs }
  }

  /** Returns a test whether a pattern matches from an index on. The test compiles the pattern on first use. */
  test(source: string): (words: readonly Word[], at: number) => boolean {
    const part = this.#compileOnUse(source)
    return (words, index) => part().step(words, index, [], always)
  }

  /** Returns a function that finds where a match from an index on ends. Without a match the end is that index. */
  end(source: string): (words: readonly Word[], at: number) => number {
    const part = this.#compileOnUse(source)
    return (words, index) => {
      let end = index
      part().step(words, index, [], (to) => {
        end = to
        return true
      })
      return end
    }
  }

  /** Returns a test whether a pattern matches anywhere in the words. */
  search(source: string): (words: readonly Word[]) => boolean {
    const part = this.#compileOnUse(source)
    return (words) => {
      const { step, firsts } = part()
      const mayBegin = ({ lower, lemma }: Word): boolean =>
        firsts === undefined || firsts.has(lower) || firsts.has(lemma)
      return words.some((word, index) => mayBegin(word) && step(words, index, [], always))
    }
  }

  /** Delays compiling to the first use, since modules define many patterns when they load. */
  #compileOnUse(source: string): () => Part {
    let part: Part | undefined
    return () => (part ??= this.#compile(source))
  }

  /** Compiles a pattern. The parsing methods call each other: choice, sequence, item, group, words, reference. */
  #compile(text: string): Part {
    const source = { text, tokens: [...text.matchAll(TOKEN)], at: 0 }
    const part = this.#parseChoice(source)
    if (source.at < source.tokens.length) throw wrong(source, 'it closes nothing')
    return part
  }

  /** Parses alternatives: `a|b c`. */
  #parseChoice(source: Source): Part {
    const options: (readonly Part[])[] = []
    do options.push(this.#parseSequence(source))
    while (takeToken(source, '|'))
    const [only] = options
    return options.length === 1 && only !== undefined ? inOrder(only) : anyOf(options)
  }

  /** Parses items up to `|`, a closing bracket or the end. */
  #parseSequence(source: Source): Part[] {
    const parts: Part[] = []
    for (let text = peek(source); text !== '' && !/^[)\]|]$/.test(text); text = peek(source)) {
      const item = this.#parseItem(source)
      if (takeToken(source, '*')) parts.push(repeated(inOrder(item)))
      else if (takeToken(source, '+')) parts.push(...item, repeated(inOrder(item)))
      else parts.push(...item)
    }
    if (parts.length === 0) throw wrong(source, 'words are missing')
    return parts
  }

  /** Parses one item: `!a`, `&a`, `(…)`, `[…]`, or what `#parseWords` reads. */
  #parseItem(source: Source): Part[] {
    if (takeToken(source, '!')) return [unless(inOrder(this.#parseItem(source)))]
    if (takeToken(source, '&')) return [ahead(inOrder(this.#parseItem(source)))]
    if (takeToken(source, '(')) return [this.#parseGroup(source, ')')]
    if (takeToken(source, '[')) return [optional(this.#parseGroup(source, ']'))]
    const text = peek(source)
    if (/^[{}<>*+]?$/.test(text)) throw wrong(source, `“${text}” stands alone`)
    const parts = this.#parseWords(source, text)
    source.at++
    return parts
  }

  #parseGroup(source: Source, close: string): Part {
    const inner = this.#parseChoice(source)
    if (!takeToken(source, close)) throw wrong(source, `“${close}” is missing`)
    return inner
  }

  /** Parses a reference, the end of a clause, a test of a word such as `NOUN`, or plain words. */
  #parseWords(source: Source, text: string): Part[] {
    if (text.startsWith('<') || text.startsWith('{')) return [this.#parseReference(source, text)]
    if (text === '.' || text === '。')
      return this.#hasPhrase('tail') ? [repeated(this.#phrase('tail')), end] : [end]
    const test = this.#kinds[text] ?? makeWordTest(text)
    return test === null ? this.#split(text).map(word) : [one(test)]
  }

  /** Parses `<…>`, which only matches, or `{…}`, which also captures a slot. */
  #parseReference(source: Source, text: string): Part {
    const {
      name,
      minWords,
      maxWords,
      phrase = '',
      not,
      ending,
    } = REFERENCE.exec(text.slice(1, -1))?.groups ?? {}
    const isSpan = minWords !== undefined
    if (!isSpan && !this.#hasPhrase(phrase))
      throw wrong(source, `there is no phrase “${phrase === '' ? text : phrase}”`)
    if (ending !== undefined && !this.#hasPhrase(ending))
      throw wrong(source, `there is no phrase “${ending}”`)
    const part = isSpan ? this.#wordSpan(Number(minWords), Number(maxWords)) : this.#phrase(phrase)
    const slotName = text.startsWith('<') ? null : (name ?? (isSpan ? 'value' : phrase))
    const isEndingWanted = not === ''
    return slotOf(slotName, part, ending === undefined ? undefined : this.#phrase(ending), isEndingWanted)
  }

  #wordSpan(minWords: number, maxWords: number): Part {
    const words = span(minWords, maxWords)
    return this.#hasPhrase('hollow') ? inOrder([unless(this.#phrase('hollow')), words]) : words
  }

  #hasPhrase(name: string): boolean {
    return Object.hasOwn(this.#phrases, name)
  }

  /** Compiles a phrase once. A phrase that contains itself is looked up when it matches, since it is not compiled before. */
  #phrase(name: string): Part {
    const compiled = this.#compiledPhrases.get(name)
    if (compiled === null) return { step: (...step) => this.#phrase(name).step(...step) }
    if (compiled !== undefined) return compiled
    this.#compiledPhrases.set(name, null)
    const part = this.#compile(this.#phrases[name] ?? '')
    this.#compiledPhrases.set(name, part)
    return part
  }
}

function wrong({ text, tokens, at }: Source, fault: string): PatternError {
  return new PatternError(
    `"${text}" is wrong at character ${(tokens[at]?.index ?? text.length) + 1}: ${fault}`,
  )
}

/** Returns the next token, or an empty string at the end. */
function peek(source: Source): string {
  return source.tokens[source.at]?.[0] ?? ''
}

/** Moves past the next token if it is `token`, and reports whether it was. */
function takeToken(source: Source, token: string): boolean {
  if (peek(source) !== token) return false
  source.at++
  return true
}

/** Makes the test for a name in capitals, `-ing`, `##` or `_`. Returns `null` for a plain word. */
function makeWordTest(text: string): ((word: Word) => boolean) | null {
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
