import type { MemoryType } from '../../../memories/memory.ts'
import { findKey, type KeyTable } from '../../../persona/key-table.ts'
import type { Clause } from './clause.ts'
import type { Grammar, Pattern } from './grammar.ts'
import type { FactRule } from './rule.ts'
import type { Tongue } from './tongue.ts'
import { wordsToText } from './word.ts'

/** What a rule reads in a clause: a fact about whoever said it. */
export interface Finding {
  readonly key: string
  readonly type: MemoryType
  readonly value: string
  /** The statement in the third person. */
  readonly text: string
  /** `over`: it was so and no longer is. `ended`: the words say that a known fact ends; states nothing new. */
  readonly state: 'holds' | 'over' | 'ended'
  /** Whether a time in the words tells when it happened. */
  readonly happened: boolean
  /** The pattern that read it. */
  readonly by: ReadyPattern
  /** The words its slots took. */
  readonly taken: readonly string[]
}

/** A pattern made ready, with what its rule says of it. */
export interface ReadyPattern {
  readonly rule: FactRule
  /** Where its keys are looked up. */
  readonly keys: KeyTable
  readonly source: string
  readonly pattern: Pattern
  readonly key: string
  readonly value: string | null
  readonly happened: boolean
  /** Whether a clause has what the rule wants around the pattern. */
  readonly suits: (clause: Clause) => boolean
}

/** Patterns in order, found by a word that they need. */
export class PatternIndex {
  readonly #patterns: readonly ReadyPattern[]
  readonly #byWord = new Map<string, number[]>()

  constructor(patterns: readonly ReadyPattern[]) {
    this.#patterns = patterns
    for (const [at, { pattern }] of patterns.entries())
      for (const word of pattern.needs ?? [ANY])
        this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), at])
  }

  /** Those that may match a clause. */
  fitting({ words }: Clause): ReadyPattern[] {
    const found = new Set(this.#byWord.get(ANY))
    for (const { lower, lemma } of words)
      for (const word of lower === lemma ? [lower] : [lower, lemma])
        for (const at of this.#byWord.get(word) ?? []) found.add(at)
    return [...found].sort((one, other) => one - other).flatMap((at) => this.#patterns[at] ?? [])
  }
}
/** No word of a sentence is empty. */
const ANY = ''

/** Patterns for first-person clauses, and for bare stretches between marks. */
export interface ReadyFacts {
  readonly own: PatternIndex
  readonly bare: PatternIndex
}

/** @throws PatternError */
export function readyPatterns(rule: FactRule, grammar: Grammar, keys: KeyTable): ReadyPattern[] {
  const { with: wanted = '_', without = '!_ _', after = '_*' } = rule
  const [has, holds, follows] = [grammar.search(wanted), grammar.search(without), grammar.test(after)]
  const suits = ({ said, time, before }: Clause): boolean =>
    has([...time, ...said]) && !holds(said) && follows(before, 0)
  return (rule.each ?? ['@']).flatMap((word) => {
    const put = (text: string): string => text.replaceAll('@', word)
    return Object.entries(rule.facts).flatMap(([told, patterns]) => {
      const [key = '', ...value] = put(told).split(': ')
      return Object.keys(patterns).map((source) => {
        const happened = rule.happened ?? /\bdid\b/.test(source)
        const pattern = grammar.pattern(put(source))
        return {
          rule,
          keys,
          source,
          pattern,
          key,
          value: value.length > 0 ? value.join(': ') : null,
          happened,
          suits,
        }
      })
    })
  })
}

/** Who said a sentence, and after which. */
export interface Saying {
  readonly sentence: string
  /** `The user`, or the speaker's name. */
  readonly who: string
  /** The sentence before it, whose subject it may go on with. */
  readonly before: string | null
}

/** What rules read in each clause of a sentence: the first that matches, and with one that `goesOn` those behind it. */
export function readFacts(
  { sentence, who, before }: Saying,
  patterns: ReadyFacts,
  tongue: Tongue,
): Finding[] {
  return tongue.read(sentence, before).flatMap((clause) => {
    const findings: Finding[] = []
    for (const ready of (clause.isBare ? patterns.bare : patterns.own).fitting(clause)) {
      const isOfSame = findings.some(({ by }) => by.rule === ready.rule)
      const finding = isOfSame ? null : readFact(clause, who, ready, tongue)
      if (finding !== null) findings.push(finding)
      if (finding !== null && ready.rule.goesOn !== true) break
    }
    return clause.isDoubted && findings.every(({ state }) => state !== 'ended') ? [] : findings
  })
}

function readFact(clause: Clause, who: string, by: ReadyPattern, tongue: Tongue): Finding | null {
  const slots = by.pattern.match(clause.words, 0)
  if (slots === null || !by.suits(clause)) return null
  const time = wordsToText(clause.time)
  const taken = slots.map(({ from, to }) => clause.words.slice(from, to))
  const named = slots.map(({ name }, at): [string, string] => [name, tongue.value(taken[at] ?? [])])
  const filled = new Map([['who', who], ['time', time], ...named])
  const key = by.key.includes('{') ? findKey(by.keys, fill(by.key, filled))?.id : by.key
  // What happened is not over: “I no longer went” tells nothing.
  if (key === undefined || (by.happened && clause.state !== 'holds')) return null
  const type = by.keys.get(key)?.type ?? 'persona'
  const value = fill(by.value ?? `{${slots[0]?.name ?? ''}}${type === 'event' ? ' {time}' : ''}`, filled)
  const text = by.rule.text === undefined ? tongue.say(clause, who) : fill(by.rule.text, filled)
  if (value === '' || text === '') return null
  const isTimed = time !== '' && (type === 'event' || by.value?.includes('{time}') === true)
  return {
    key,
    type,
    value,
    text: isTimed ? `${text.replace(/\.$/, '')} ${time}.` : text,
    state: clause.state === 'holds' ? (by.rule.state ?? 'holds') : clause.state,
    happened: by.happened,
    by,
    taken: taken.map(wordsToText).filter((words) => words !== ''),
  }
}

function fill(template: string, slots: ReadonlyMap<string, string>): string {
  return template.replace(/\{([a-z]+)\}/g, (_, name: string) => slots.get(name) ?? '').trim()
}
