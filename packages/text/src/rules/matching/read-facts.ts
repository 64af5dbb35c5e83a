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
  /** Whether it is a fact only where the words name an end that lies ahead. */
  readonly expires: boolean
  /** The words behind the clause that name its end: “until Friday”. */
  readonly until: string
  /** The pattern that matched. */
  readonly by: ReadyPattern
  /** The words of its slots. */
  readonly taken: readonly string[]
}

/** A compiled pattern with the fields of its rule. */
interface ReadyPattern {
  readonly rule: FactRule
  readonly source: string
  readonly pattern: Pattern
  readonly key: string
  readonly value: string | null
  readonly happened: boolean
  /** Reports whether a clause has the context that the rule requires. */
  readonly suits: (clause: Clause) => boolean
}

/** The key of patterns that need no word, since no word of a sentence is empty. */
const ANY = ''

/** Extracts facts from the sentences of a language. */
export class FactReader {
  readonly #language: Language
  readonly #keys: KeyTable
  readonly #patterns: readonly ReadyPattern[]
  /** Indexes of patterns by a required word. */
  readonly #byWord = new Map<string, number[]>()

  /** @throws PatternError */
  constructor(language: Language, rules: readonly Rule[], keys: KeyTable) {
    this.#language = language
    this.#keys = keys
    this.#patterns = rules.flatMap((rule) => ('facts' in rule ? readyPatterns(rule, language) : []))
    const rarest = rarestAmong(this.#patterns)
    for (const [index, { key, pattern }] of this.#patterns.entries()) {
      if (!key.includes('{') && !keys.has(key))
        throw new PatternError(`"${key}" is no key of the persona sheet`)
      for (const word of rarest(pattern.needs) ?? [ANY])
        this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), index])
    }
  }

  /**
   * Returns the facts of each clause from the first matching rule, and from later ones where it has `goesOn`.
   *
   * @param who `The user`, or the speaker's name
   * @param before the preceding sentence, whose subject this one may continue
   */
  read(sentence: string, who: string, before: string | null): Finding[] {
    return this.#language.read(sentence, before).flatMap((clause) => {
      const findings: Finding[] = []
      for (const ready of this.#fitting(clause)) {
        const isOfSame = findings.some(({ by }) => by.rule === ready.rule)
        const finding = isOfSame ? null : this.#readFact(clause, who, ready)
        if (finding !== null) findings.push(finding)
        if (finding !== null && ready.rule.goesOn !== true) break
      }
      return clause.isDoubted && findings.every(({ state }) => state !== 'ended') ? [] : findings
    })
  }

  /** Returns the patterns that may match a clause, in order. */
  #fitting({ words }: Clause): ReadyPattern[] {
    const found = new Set(this.#byWord.get(ANY))
    const find = (word: string): void => this.#byWord.get(word)?.forEach((i) => found.add(i))
    for (const { lower, lemma } of words) {
      find(lower)
      if (lemma !== lower) find(lemma)
    }
    return this.#patterns.filter((_, index) => found.has(index))
  }

  #readFact(clause: Clause, who: string, by: ReadyPattern): Finding | null {
    const slots = by.pattern.match(clause.words, 0)
    if (slots === null || !by.suits(clause)) return null
    const time = wordsToText(clause.time)
    const taken = slots.map(({ from, to }) => clause.words.slice(from, to))
    const named = slots.map(({ name }, i): [string, string] => [name, this.#language.value(taken[i] ?? [])])
    const filled = new Map([['who', who], ['time', time], ...named])
    const key = by.key.includes('{') ? findKey(this.#keys, fill(by.key, filled))?.id : by.key
    // Skips ended events, which state nothing: “I no longer went”.
    if (key === undefined || (by.happened && clause.state !== 'holds')) return null
    const type = this.#keys.get(key)?.type ?? 'persona'
    const value = fill(by.value ?? `{${slots[0]?.name ?? ''}}${type === 'event' ? ' {time}' : ''}`, filled)
    const text = by.rule.text === undefined ? this.#language.say(clause, who) : fill(by.rule.text, filled)
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

/** Returns the required words that the fewest patterns share, since nearly all begin with “I” or 我. */
function rarestAmong(
  patterns: readonly ReadyPattern[],
): (needs: readonly ReadonlySet<string>[]) => ReadonlySet<string> | undefined {
  const counts = new Map<string, number>()
  for (const word of patterns.flatMap(({ pattern }) => pattern.needs.flatMap((set) => [...set])))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  const common = (words: ReadonlySet<string>): number =>
    Math.max(...[...words].map((word) => counts.get(word) ?? 0))
  return (needs) => needs.toSorted((a, b) => common(a) - common(b))[0]
}

function readyPatterns(rule: FactRule, { grammar }: Language): ReadyPattern[] {
  const { with: wanted = '_', without = '!_ _', after = '_*' } = rule
  const [has, holds, follows] = [grammar.search(wanted), grammar.search(without), grammar.test(after)]
  const suits = ({ said, time, before, until = [] }: Clause): boolean =>
    has([...time, ...said, ...until]) && !holds(said) && follows(before, 0)
  return (rule.each ?? ['@']).flatMap((word) => {
    const put = (text: string): string => text.replaceAll('@', word)
    return Object.entries(rule.facts).flatMap(([fact, patterns]) => {
      const [, key = '', value = null] = /^(.*?)(?:: (.*))?$/s.exec(put(fact)) ?? []
      return Object.keys(patterns).map((source) => {
        const happened = rule.happened ?? /\bdid\b/.test(source)
        return { rule, source, pattern: grammar.pattern(put(source)), key, value, happened, suits }
      })
    })
  })
}

function fill(template: string, slots: ReadonlyMap<string, string>): string {
  return template.replace(/\{([a-z]+)\}/g, (_, name: string) => slots.get(name) ?? '').trim()
}
