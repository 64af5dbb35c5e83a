// Extracts facts from a sentence: compiles the rules, and tries them on each clause.
import { findKey, type KeyTable } from '../../keys/key-table.ts'
import type { MemoryType } from '../../keys/memory-types.ts'
import { PatternError, type Pattern } from './grammar.ts'
import type { Clause, Language } from './language.ts'
import type { FactRule, Rule } from './rule.ts'
import { wordsToText } from './word.ts'

/** A fact about the speaker that a rule extracted from a clause. */
export interface Finding {
  readonly key: string
  readonly type: MemoryType
  readonly value: string
  /** The statement in the third person. */
  readonly text: string
  /** `over`: a past state. `ended`: the words end a known fact and state nothing new. */
  readonly state: 'holds' | 'over' | 'ended'
  /** Whether a time in the words dates the event. */
  readonly happened: boolean
  /** Whether it is a fact only if the words name an end in the future. */
  readonly expires: boolean
  /** The words after the clause that name its end: “until Friday”. */
  readonly until: string
  /** The pattern that matched. */
  readonly by: CompiledPattern
  /** The words that the pattern's slots captured. */
  readonly taken: readonly string[]
}

/** A compiled pattern with the fields of its rule. */
interface CompiledPattern {
  readonly rule: FactRule
  readonly source: string
  readonly pattern: Pattern
  readonly key: string
  readonly value: string | null
  readonly happened: boolean
  /** Reports whether a clause has the context that the rule requires. */
  readonly suits: (clause: Clause) => boolean
}

/** The index entry of patterns that require no word. No word of a sentence is empty, so it never means a word. */
const NO_REQUIRED_WORD = ''

/** Extracts facts from the sentences of a language. */
export class FactReader {
  readonly #language: Language
  readonly #keys: KeyTable
  readonly #patterns: readonly CompiledPattern[]
  /** Positions in `#patterns`, by a word that the pattern requires. */
  readonly #indexesByWord = new Map<string, number[]>()

  /** @throws PatternError */
  constructor(language: Language, rules: readonly Rule[], keys: KeyTable) {
    this.#language = language
    this.#keys = keys
    this.#patterns = rules.flatMap((rule) => ('facts' in rule ? compilePatterns(rule, language) : []))
    const chooseRarest = makeRarestChooser(this.#patterns)
    for (const [index, { key, pattern }] of this.#patterns.entries()) {
      if (!key.includes('{') && !keys.has(key))
        throw new PatternError(`"${key}" is no key of the persona sheet`)
      for (const word of chooseRarest(pattern.needs) ?? [NO_REQUIRED_WORD])
        this.#indexesByWord.set(word, [...(this.#indexesByWord.get(word) ?? []), index])
    }
  }

  /**
   * Returns the facts of each clause by the first rule that matches. If that rule has `goesOn`, later rules are tried too.
   *
   * @param who `The user`, or the speaker's name
   * @param before the preceding sentence, whose subject this one may continue
   */
  read(sentence: string, who: string, before: string | null): Finding[] {
    return this.#language.read(sentence, before).flatMap((clause) => {
      const findings: Finding[] = []
      for (const pattern of this.#findCandidates(clause)) {
        const hasMatched = findings.some(({ by }) => by.rule === pattern.rule)
        const finding = hasMatched ? null : this.#readFact(clause, who, pattern)
        if (finding !== null) findings.push(finding)
        if (finding !== null && pattern.rule.goesOn !== true) break
      }
      const endsFact = findings.some(({ state }) => state === 'ended')
      return clause.isDoubted && !endsFact ? [] : findings
    })
  }

  /** Returns the patterns whose required words a clause has, in the order of the rules. */
  #findCandidates({ words }: Clause): CompiledPattern[] {
    const candidates = new Set(this.#indexesByWord.get(NO_REQUIRED_WORD))
    const addByWord = (word: string): void =>
      this.#indexesByWord.get(word)?.forEach((index) => candidates.add(index))
    for (const { lower, lemma } of words) {
      addByWord(lower)
      if (lemma !== lower) addByWord(lemma)
    }
    return this.#patterns.filter((_, index) => candidates.has(index))
  }

  /** Reads the fact that a clause states by one pattern; `null` if the pattern does not match, or the fact lacks a part. */
  #readFact(clause: Clause, who: string, by: CompiledPattern): Finding | null {
    const slots = by.pattern.match(clause.words, 0)
    if (slots === null || !by.suits(clause)) return null
    const time = wordsToText(clause.time)
    const taken = slots.map(({ from, to }) => clause.words.slice(from, to))
    const named = slots.map(({ name }, i): [string, string] => [name, this.#language.value(taken[i] ?? [])])
    const slotValues = new Map([['who', who], ['time', time], ...named])
    const key = by.key.includes('{') ? findKey(this.#keys, fill(by.key, slotValues))?.id : by.key
    // Skips ended events, which state nothing: “I no longer went”.
    if (key === undefined || (by.happened && clause.state !== 'holds')) return null
    const type = this.#keys.get(key)?.type ?? 'persona'
    const firstSlot = `{${slots[0]?.name ?? ''}}`
    const value = fill(by.value ?? (type === 'event' ? `${firstSlot} {time}` : firstSlot), slotValues)
    const text = by.rule.text === undefined ? this.#language.say(clause, who) : fill(by.rule.text, slotValues)
    if (value === '' || text === '' || this.#language.isOfKind?.(key, value) === false) return null
    const isTimed = time !== '' && (type === 'event' || by.value?.includes('{time}') === true)
    return {
      key,
      type,
      value,
      text: isTimed ? `${text.replace(/\.$/, '')} ${time}.` : text,
      state: clause.state === 'holds' ? (by.rule.state ?? 'holds') : clause.state,
      happened: by.happened,
      expires: by.rule.expires === true,
      until: wordsToText(clause.until ?? []),
      by,
      taken: taken.map(wordsToText).filter((words) => words !== ''),
    }
  }
}

/**
 * Makes a function that chooses the required words of a pattern which the fewest patterns share. Nearly all patterns require “I” or 我,
 * so these words would leave all patterns as candidates.
 */
function makeRarestChooser(
  patterns: readonly CompiledPattern[],
): (needs: readonly ReadonlySet<string>[]) => ReadonlySet<string> | undefined {
  const counts = new Map<string, number>()
  for (const word of patterns.flatMap(({ pattern }) => pattern.needs.flatMap((set) => [...set])))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  const countOf = (words: ReadonlySet<string>): number =>
    Math.max(...[...words].map((word) => counts.get(word) ?? 0))
  return (needs) => needs.toSorted((a, b) => countOf(a) - countOf(b))[0]
}

/** A pattern that matches any words, and one that matches none: a word that is not there. */
const [ANYTHING, NOTHING] = ['_', '!_ _']

function compilePatterns(rule: FactRule, { grammar }: Language): CompiledPattern[] {
  const hasWanted = grammar.search(rule.with ?? ANYTHING)
  const hasForbidden = grammar.search(rule.without ?? NOTHING)
  const followsOn = grammar.test(rule.after ?? `${ANYTHING}*`)
  const suits = ({ said, time, before, until = [] }: Clause): boolean =>
    hasWanted([...time, ...said, ...until]) && !hasForbidden(said) && followsOn(before, 0)
  return (rule.each ?? ['@']).flatMap((word) => {
    const fillWord = (text: string): string => text.replaceAll('@', word)
    return Object.entries(rule.facts).flatMap(([target, patterns]) => {
      const [, key = '', value = null] = /^(.*?)(?:: (.*))?$/s.exec(fillWord(target)) ?? []
      return Object.keys(patterns).map((source) => {
        const happened = rule.happened ?? /\bdid\b/.test(source)
        return { rule, source, pattern: grammar.pattern(fillWord(source)), key, value, happened, suits }
      })
    })
  })
}

/** Fills the slots of a template: `no {thing}` becomes `no red meat`. */
function fill(template: string, slots: ReadonlyMap<string, string>): string {
  return template.replace(/\{([a-z]+)\}/g, (_, name: string) => slots.get(name) ?? '').trim()
}
