// Finds requests to forget in a sentence by the rules of its language.
import type { Pattern } from './grammar.ts'
import type { Language } from './language.ts'
import type { Rule } from './rule.ts'
import { isMark, withoutMarks, wordsToText, type Word } from './word.ts'

/** A compiled pattern of a request, with its rule. */
interface ReadyRequest {
  readonly rule: Rule
  readonly source: string
  readonly pattern: Pattern
}

/** A request to forget in a sentence. */
export interface FoundRequest {
  /** The topic in the speaker's words, or `null` if the preceding words are the topic. */
  readonly about: string | null
  /** The words before the request in the sentence. */
  readonly lead: string
  /** The words of the request itself. */
  readonly read: string
  /** The pattern that matched. */
  readonly by: ReadyRequest
  /** The words that the pattern's slots captured. */
  readonly taken: readonly string[]
}

/** Finds requests to forget in the sentences of a language. */
export class RequestReader {
  readonly #language: Language
  readonly #hasOwnRequests: boolean
  readonly #patterns: readonly ReadyRequest[]
  readonly #readings: (words: readonly Word[]) => Generator<Reading>
  readonly #matters: readonly Pattern[]
  readonly #wide: readonly Pattern[]
  readonly #isWaved: ReturnType<Language['grammar']['test']>

  /**
   * @param ownRules a caller's rules, tried before the language's
   * @throws PatternError
   */
  constructor(language: Language, ownRules: readonly Rule[]) {
    this.#language = language
    this.#hasOwnRequests = ownRules.some((rule) => 'forget' in rule)
    this.#patterns = [...ownRules, ...language.rules].flatMap((rule) => {
      const sources = 'forget' in rule ? Object.keys(rule.forget) : []
      return sources.map((source) => ({ rule, source, pattern: language.grammar.pattern(source) }))
    })
    this.#readings = readingsBy(language)
    this.#matters = language.matters.map((source) => language.grammar.pattern(source))
    this.#wide = language.wide.map((source) => language.grammar.pattern(source))
    this.#isWaved = language.grammar.test('<waved>')
  }

  /** Reports whether a text may contain a request. A caller's rules may use words that the language's hint lacks. */
  mayAsk(text: string): boolean {
    return this.#hasOwnRequests || this.#language.hint.test(text)
  }

  /** Returns the first request of a sentence. */
  read(sentence: string): FoundRequest | null {
    const { split, longestRequest } = this.#language
    const words = sentence.length <= longestRequest && this.mayAsk(sentence) ? split(sentence) : []
    for (const { reading, from } of this.#readings(words)) {
      const lead = wordsToText(words.slice(0, from))
      for (const by of this.#patterns) {
        const slots = by.pattern.match(reading, 0)
        if (slots === null) continue
        const read = wordsToText(reading)
        const slot = slots.find(({ name }) => name === 'about' || name === 'whom')
        if (slot === undefined) return { about: this.#matterAround(words, from), lead, read, by, taken: [] }
        const topicWords = reading.slice(slot.from, slot.to)
        const about = wordsToText(topicWords)
        const isTopic = slot.name === 'whom' || (about.length > 1 && !this.#isWaved(topicWords, 0))
        if (isTopic) return { about, lead, read, by, taken: [about] }
      }
    }
    return null
  }

  /** Reports whether a sentence asks to forget everything about the user. */
  isWide(sentence: string): boolean {
    const { split, longestRequest, hint } = this.#language
    if (sentence.length > longestRequest || !hint.test(sentence)) return false
    for (const { reading } of this.#readings(split(sentence)))
      if (this.#wide.some((pattern) => pattern.match(reading, 0) !== null)) return true
    return false
  }

  /** Returns the topic named before or after a request that only says “that”. */
  #matterAround(words: readonly Word[], from: number): string | null {
    const before = this.matterIn(wordsToText(words.slice(0, from)))
    if (before !== null) return before
    const ends = [...words.keys()].filter((index) => index >= from && words[index]?.lemma === ';')
    const textsAfter = ends.map((end, i) => wordsToText(words.slice(end + 1, ends[i + 1] ?? words.length)))
    return textsAfter.map((text) => this.matterIn(text)).find((matter) => matter !== null) ?? null
  }

  /** Returns the topic that a text names for a later “please forget that”: “That patient I told you about, bay three.” */
  matterIn(text: string): string | null {
    const words = withoutMarks(this.#language.split(text))
    for (const index of words.keys()) {
      for (const pattern of this.#matters) {
        const slots = pattern.match(words, index)
        if (slots !== null) return slots.map(({ from, to }) => wordsToText(words.slice(from, to))).join(' ')
      }
    }
    return null
  }
}

/** Words that may be a request, and their index in the sentence. */
interface Reading {
  readonly reading: readonly Word[]
  readonly from: number
}

/** Makes a function that returns the parts of a sentence that may be a request, without introductions, reasons and thanks. */
function readingsBy({ grammar, split, please }: Language): (words: readonly Word[]) => Generator<Reading> {
  const asking = split(please)
  const isRefused = grammar.test('<refused>')
  const begins = grammar.test('<turn>')
  const opens = grammar.test('(<lead>|,|;|CAPITAL .)* .')
  const isNotAsked = grammar.test('<unasked>')
  const isPolite = grammar.search('<polite>')
  const isUnmistakable = grammar.test('<unmistakable>')
  const isInPassing = grammar.test('<passing>')
  const isAside = grammar.test('<aside>')
  const isSecret = grammar.search('<secret> .')
  const isDroppedAfter = grammar.search('(,|;) [<interjection>|,]* <dropit> [<nomore>] .')
  const closes = grammar.test('([,|;] <closing>)+ .')
  const [pastLead, pastInterjections] = [grammar.end('<leads>'), grammar.end('<interjections>')]

  /** Allows interjections before any request, but a whole clause only before an explicit one. */
  function mayFollow(lead: readonly Word[], head: readonly Word[]): boolean {
    return opens(lead, 0) || (!isNotAsked(lead, 0) && (isPolite(head) || isUnmistakable(head, 0)))
  }

  /** Returns words, and the same words with `please` before them if they are a polite request. */
  const withPlease = (words: readonly Word[], isAsked: boolean): (readonly Word[])[] =>
    isAsked ? [words, [...asking, ...words]] : [words]

  /**
   * Cuts the words before an aside, and before thanks. If a reason comes first, the words up to the second aside count too: “it's
   * private, don't keep it”.
   *
   * @param wasAsked whether polite words came before
   */
  function* cut(words: readonly Word[], wasAsked: boolean): Generator<readonly Word[]> {
    const [firstAside, secondAside] = [...words.keys()].filter((i) => i > 0 && isAside(words, i))
    const beforeAside = withoutMarks(words.slice(0, firstAside))
    const rest = firstAside === undefined ? [] : words.slice(firstAside)
    const isAskedLater = isSecret(rest) || (closes(rest, 0) && isPolite(rest))
    // Tries the whole sentence, whose topic may come first: “The loan from Tom, please just forget it”.
    const sentence = withoutMarks(words)
    if (isDroppedAfter(sentence)) yield* withPlease(sentence, wasAsked)
    const beginsWithReason = isSecret(beforeAside)
    const parts = beginsWithReason ? [beforeAside, withoutMarks(words.slice(0, secondAside))] : [beforeAside]
    for (const part of parts) {
      const closing = part.findIndex((_, i) => i > 0 && closes(part, i))
      const withoutThanks = closing < 0 ? part : part.slice(0, closing)
      const isAsked = wasAsked || isAskedLater || isPolite(part.slice(withoutThanks.length))
      for (const reading of new Set([withoutThanks, part])) yield* withPlease(reading, isAsked)
    }
  }

  return function* (words) {
    if (isRefused(words, 0)) return
    for (const index of words.keys()) {
      if (index > 0 && !isMark(words[index - 1]) && !begins(words, index - 1)) continue
      const head = withoutMarks(words.slice(index))
      if (!mayFollow(withoutMarks(words.slice(0, index)), head)) continue
      const lead = pastLead(head, 0)
      for (const from of new Set([lead, pastInterjections(head, 0), 0]))
        if (!isInPassing(head, from))
          for (const reading of cut(head.slice(from), isPolite(head.slice(0, lead))))
            yield { reading, from: index }
    }
  }
}
