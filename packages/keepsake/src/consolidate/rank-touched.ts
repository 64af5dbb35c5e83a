import type { RelatedBudget, Segment } from '../extraction/extractor.ts'
import { personaRules } from '../extraction/rules/persona-rules.ts'
import type { Memory } from '../memories/memory.ts'
import { findTerms } from '../text/analyse-text.ts'
import { estimateTokens } from '../text/count-tokens.ts'
import type { Turn } from '../turns/turn.ts'
import { changing, factsOf, type Known } from './known-of-scope.ts'
import { RareWords } from './rare-words.ts'
import { factsByAllWords, type WordedFacts } from './worded-facts.ts'

/** Of what one turn finds by meaning, the first counts: the rest is near to anything. */
const HITS_A_TURN = 1
/** Reciprocal rank fusion: how much a first place is worth above a second (Cormack et al. use 60, for lists of thousands). */
const RANK_OFFSET = 8
/**
 * How much sharing rare words counts beside each other way of being found. Chosen on two people of our own: of 52 changes
 * the old statement was among those shown 47 times; 40 times with all ways alike and eight hits a turn. (Twelve facts found
 * by five hits a turn, as before, had it 30 times.)
 */
const RARE_WORDS = 8
/** The same turn by turn, each with the question it answers: what a short answer changes is not crowded out by long ones. */
const TURN_BY_TURN = 3
/** What rules find a new value for, and values of which there is one at a time: they change without a word in common. */
const SAME_KEYS = 4
const ONE_AT_A_TIME = 3
/** The first so many bring what was told with them. */
const BRINGING = 12
/** Number, quotation marks and line break of a line, and now and then a day. */
const TOKENS_A_LINE = 4
/** A short segment touches little: room for so many tokens, and so many more a turn, up to the budget. */
const TOKENS_AT_LEAST = 280
const TOKENS_A_TURN = 36

/** Facts, the best first, and how much it counts to stand there. */
interface Found {
  readonly facts: readonly Memory[]
  readonly weight: number
}

/**
 * The live facts that a segment may touch, newest first, as many as fit: what shares rare words with its turns, names above
 * all; what these find by meaning; what stands under the same keys as what rules read in it; what there is one of at a
 * time; what was told together with the first of these, for it may hang on them; then the latest learned.
 *
 * @param found what each turn finds, best first
 */
export async function rankTouched(
  known: Known,
  segment: Segment,
  found: readonly (readonly Memory[])[],
  budget: RelatedBudget,
): Promise<readonly Memory[]> {
  const facts = factsOf(known.cache, segment.scope)
  const worded = factsByAllWords(known.cache.facts(segment.scope), facts)
  const first = fuse([
    { facts: sharingRareWords(worded, segment.turns), weight: RARE_WORDS },
    { facts: touchedByTurns(worded, segment.turns), weight: TURN_BY_TURN },
    { facts: await underSameKeys(known, segment, facts), weight: SAME_KEYS },
    { facts: changing(known, segment.scope), weight: ONE_AT_A_TIME },
    ...found.map((hits) => ({ facts: hits.slice(0, HITS_A_TURN), weight: 1 })),
  ])
  const latest = facts
    .filter(({ validUntil }) => validUntil === null)
    .sort((one, other) => other.learnedAt - one.learnedAt)
  const ranked = new Set([...first, ...toldWith(first.slice(0, BRINGING), facts), ...latest])
  const room = Math.min(budget.tokens, TOKENS_AT_LEAST + TOKENS_A_TURN * segment.turns.length)
  return fitting([...ranked], { ...budget, tokens: room }).sort(
    (one, other) => other.learnedAt - one.learnedAt,
  )
}

/** Best first by the sum of what each place in each list is worth. */
function fuse(lists: readonly Found[]): Memory[] {
  const worth = new Map<Memory, number>()
  for (const { facts, weight } of lists)
    for (const [rank, memory] of facts.entries())
      worth.set(memory, (worth.get(memory) ?? 0) + weight / (RANK_OFFSET + rank))
  return [...worth].sort(([, one], [, other]) => other - one).map(([memory]) => memory)
}

/**
 * By the words that the user's turns share with a fact: the rarer among facts, the more, those of one turn before those
 * scattered over several, and for what part of the fact they are. An answer names little of what it changes: the words of
 * the question before it count with it, for less.
 */
function sharingRareWords(facts: WordedFacts, turns: readonly Turn[]): Memory[] {
  const said = turns.flatMap(({ role, text }) => (role === 'user' ? [new Set(findTerms(text))] : []))
  const answered = turns.flatMap(({ role, text }, place) => {
    const before = turns[place - 1]
    return role === 'user' && before?.role === 'agent' ? [new Set(findTerms(`${before.text}\n${text}`))] : []
  })
  const rare = new RareWords(facts)
  const words = new Set([...said, ...answered].flatMap((turn) => [...turn]))
  const scored = facts.saying(words).map(({ memory, terms: own }) => {
    const worthIn = (words: ReadonlySet<string>): number =>
      rare.worthOf(own.filter((term) => words.has(term)))
    const best = Math.max(0, ...said.map(worthIn), ...answered.map((words) => ASKED * worthIn(words)))
    const all = rare.worthOf(own.filter((term) => said.some((turn) => turn.has(term))))
    return { memory, score: best === 0 ? 0 : (best + all / 2) / Math.sqrt(rare.worthOf(own)) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ memory }) => memory)
}

/** What of an answer's matter stands in the agent's question before it counts so much. */
const ASKED = 0.6
/** Of what shares rare words with one turn, so many count: the best of each turn before the second of any. */
const WORDED_A_TURN = 4

/** Words of a turn of the user's, each with how much it counts: those that only the question before holds count for less. */
function wordsOfAnswers(turns: readonly Turn[]): ReadonlyMap<string, number>[] {
  return turns.flatMap(({ role, text }, place) => {
    if (role !== 'user') return []
    const before = turns[place - 1]
    const asked = before?.role === 'agent' ? findTerms(before.text) : []
    return [
      new Map([
        ...asked.map((term) => [term, ASKED] as const),
        ...findTerms(text).map((term) => [term, 1] as const),
      ]),
    ]
  })
}

/**
 * By the words that a turn of the user's, with the question it answers, shares with a fact: the rarer among facts, the more, and for
 * what part of the fact they are. Turn by turn, since each may change something: a long one is not to crowd out the others.
 */
function touchedByTurns(facts: WordedFacts, turns: readonly Turn[]): Memory[] {
  const rare = new RareWords(facts)
  const ranked = wordsOfAnswers(turns).map((words) => {
    const scored = facts.saying(words.keys()).map(({ memory, terms }) => {
      const shared = terms.reduce((sum, term) => sum + (words.get(term) ?? 0) * rare.worthOf([term]), 0)
      return { memory, score: shared === 0 ? 0 : shared / Math.sqrt(rare.worthOf(terms)) }
    })
    return scored
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, WORDED_A_TURN)
  })
  const inTurn = Array.from({ length: WORDED_A_TURN }, (_, rank) =>
    ranked.flatMap((found) => found[rank] ?? []).sort((one, other) => other.score - one.score),
  )
  return [...new Set(inTurn.flat().map(({ memory }) => memory))]
}

/** Facts of the persons and keys that rules find something about in the segment. */
async function underSameKeys(
  { engine }: Known,
  segment: Segment,
  facts: readonly Memory[],
): Promise<Memory[]> {
  const { candidates, requests } = await personaRules().extract(segment, {
    ask: null,
    related: [],
    rules: engine.rules,
  })
  const keys = new Set(
    [...candidates, ...requests].flatMap((one) => {
      if (!('kind' in one)) return one.key ?? []
      return (one.kind === 'change' ? one.candidate.key : one.kind === 'end' ? one.key : null) ?? []
    }),
  )
  return facts
    .filter(({ key, validUntil }) => key !== null && keys.has(key) && validUntil === null)
    .sort((one, other) => other.learnedAt - one.learnedAt)
}

/** What rests on the same turns. */
function toldWith(first: readonly Memory[], facts: readonly Memory[]): Memory[] {
  const turns = new Set(first.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return facts.filter(
    ({ validUntil, evidence }) => validUntil === null && evidence.some(({ turn }) => turns.has(turn)),
  )
}

/** Of a fact's line. A fact is a new object when it says something else. */
const lines = new WeakMap<Memory, number>()

function tokensOf(memory: Memory): number {
  const known = lines.get(memory)
  if (known !== undefined) return known
  const tokens = estimateTokens(memory.text) + TOKENS_A_LINE
  lines.set(memory, tokens)
  return tokens
}

function fitting(ranked: readonly Memory[], { most, tokens }: RelatedBudget): Memory[] {
  const chosen: Memory[] = []
  let left = tokens
  for (const memory of ranked) {
    // A line is longer than what stands around its statement.
    if (chosen.length === most || left < TOKENS_A_LINE) break
    const cost = tokensOf(memory)
    if (cost > left) continue
    left -= cost
    chosen.push(memory)
  }
  return chosen
}
