import { latestTurn } from '../extraction/answer-parts.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction, GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { embedLately } from '../models/embed-lately.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { type SettleAnswer, settlePrompt } from '../prompts/settle.ts'
import { readQuestionFor, searchEach } from '../retrieval/search-question.ts'
import type { Turn } from '../turns/turn.ts'
import { findTerms } from '@keepsake/text'
import { duePlansSharing } from './due-plans.ts'
import { accepting, BY_WORDS_AND_MEANING, type Known } from './known-of-scope.ts'
import { answerOr } from './park-job.ts'
import { factsByStatement, type WordedFacts } from './worded-facts.ts'

/** How much words tell facts apart: those that few of them hold, names above all, the most. */
class RareWords {
  readonly #facts: Pick<WordedFacts, 'size' | 'timesOf'>
  readonly #worth = new Map<string, number>()

  /** @param facts all of them, as they stand until it is let go of */
  constructor(facts: Pick<WordedFacts, 'size' | 'timesOf'>) {
    this.#facts = facts
  }

  /** The sum of what the terms are worth, each once. */
  worthOf(terms: Iterable<string>): number {
    let worth = 0
    for (const term of terms) worth += this.#worthOf(term)
    return worth
  }

  #worthOf(term: string): number {
    const known = this.#worth.get(term)
    if (known !== undefined) return known
    const worth = Math.log(1 + this.#facts.size / (this.#facts.timesOf(term) || 1))
    this.#worth.set(term, worth)
    return worth
  }
}

/** Found for each new statement, before it is seen whether they are alike. */
const HITS = 4
/** Asked about in one call. */
const MOST_PAIRS = 8
/** Of what the words of the shorter of two statements tell, so much is shared when they are about one matter. */
const LEAST_SHARED = 0.4
/** What was shown and let pass is asked about where so much is shared: of two statements on one matter a reader often changes one. */
const LEAST_SHARED_WHEN_PASSED = 0.6
/** So much is enough, of the words that are no numbers, for the plan that a new statement comes nearest to, when its day has come. */
const LEAST_SHARED_WITH_PLAN = 0.25

/** What a segment yielded, and the memories that its operations name by number. */
export interface Settled {
  readonly grounded: GroundedExtraction
  readonly related: readonly Memory[]
}

/** What whoever read the segment was shown: what their answer changes, and what they let pass. */
interface Shown {
  readonly named: ReadonlySet<string>
  readonly passed: ReadonlySet<string>
}

function shownIn({ operations }: GroundedExtraction, related: readonly Memory[]): Shown {
  const indexes = operations.flatMap(({ operation }) => (operation.kind === 'add' ? [] : [operation.index]))
  const named = new Set(indexes.flatMap((index) => related[index - 1]?.id ?? []))
  return { named, passed: new Set(related.flatMap(({ id }) => (named.has(id) ? [] : [id]))) }
}

/** A new statement that is believed, whether it is new altogether or takes the place of a memory that was shown. */
interface Fresh {
  readonly candidate: Candidate
  readonly isChange: boolean
}

interface Pair {
  readonly fresh: Fresh
  readonly known: Memory
  /** How much they are about one matter, 0 to 1. */
  readonly shared: number
}

/**
 * Catches new statements that say anew, or make untrue, what is known and was not shown to whoever read the segment: each
 * is held against the live facts that are worded like it, those that were shown and let pass among them where they are much alike, and the plan that it comes nearest to of those whose day has come; the
 * model is asked once how they stand to each other. Where there are none, nothing is asked. What stands under a key of which there
 * is one at a time needs no model.
 *
 * @returns the same with such statements as changes of the memories they meet
 */
export async function settleUnshown(
  known: Known,
  segment: Segment,
  { grounded, related }: Settled,
  ask: AskModel,
): Promise<Settled> {
  const pairs = await findPairs(known, segment, freshOf(grounded), shownIn(grounded, related))
  if (pairs.length === 0) return { grounded, related }
  const texts = pairs.map(({ fresh, known: memory }) => ({ fresh: fresh.candidate.text, known: memory.text }))
  const language = promptLanguage(texts.map(({ fresh }) => fresh))
  const { verdicts } = await answerOr(ask.ask(settlePrompt, { pairs: texts }, { language }), { verdicts: [] })
  const met = pairs.flatMap((one, place): Met[] => {
    const verdict = verdicts.find(({ pair }) => pair === place + 1)?.verdict ?? 'both'
    return verdict === 'both' ? [] : [{ ...one, verdict }]
  })
  return applyVerdicts({ grounded, related }, met, segment.turns)
}

function freshOf({ candidates, operations }: GroundedExtraction): Fresh[] {
  return [
    ...candidates.flatMap(({ candidate, reason }) =>
      reason === null ? [{ candidate, isChange: false }] : [],
    ),
    ...operations.flatMap(({ operation, reason }) =>
      reason === null && operation.kind === 'modify'
        ? [{ candidate: operation.candidate, isChange: true }]
        : [],
    ),
  ]
}

interface Met extends Pair {
  readonly verdict: Exclude<SettleAnswer['verdicts'][number]['verdict'], 'both'>
}

/** A statement takes the place of one memory, and ends the others that it makes untrue; a memory is met once. */
function applyVerdicts({ grounded, related }: Settled, all: readonly Met[], turns: readonly Turn[]): Settled {
  const met = all.filter((one, place) => all.findIndex(({ known }) => known.id === one.known.id) === place)
  const taken = new Map<Candidate, Candidate>()
  const settled: Memory[] = []
  const operations = met.flatMap(({ fresh, known, verdict }): GroundedOperation[] => {
    const { candidate } = fresh
    const index = related.length + settled.length + 1
    const isFirst = !fresh.isChange && !taken.has(candidate)
    if (!isFirst && verdict === 'same') return []
    settled.push(known)
    if (isFirst) {
      const { subject, text, key, value } = known
      const stated =
        verdict === 'same' ? { ...candidate, subject, text, key, value } : { ...candidate, subject }
      taken.set(candidate, stated)
      return [{ operation: { kind: 'modify', index, candidate: stated }, reason: null }]
    }
    const successor = taken.get(candidate) ?? candidate
    const { evidence } = successor
    // When it ended nobody says here: it was over when this was told. A plan that falls through ends before the day it was for.
    const told = latestTurn(evidence, turns)?.at ?? successor.validFrom
    const at = Math.max(told, known.validFrom)
    return [
      { operation: { kind: 'delete', index, why: 'no-longer-so', at, evidence, successor }, reason: null },
    ]
  })
  return {
    grounded: {
      candidates: grounded.candidates.filter(({ candidate }) => !taken.has(candidate)),
      operations: [...grounded.operations, ...operations],
    },
    related: [...related, ...settled],
  }
}

async function findPairs(
  { engine, state }: Known,
  segment: Segment,
  fresh: readonly Fresh[],
  { named, passed }: Shown,
): Promise<Pair[]> {
  const now = segment.turns.at(-1)?.at ?? 0
  const questions = fresh.map(({ candidate }) => readQuestionFor(state.index, candidate.text, { now }))
  const vectors = await embedLately(
    engine.embedding,
    questions.map(({ about }) => about),
  )
  const filter = accepting(state, segment.scope)
  const standing = state.facts(segment.scope)
  const rare = new RareWords(factsByStatement(standing))
  const accepts = (id: string): boolean => !named.has(id) && (filter.accepts?.(id) ?? true)
  const found = searchEach(
    state.index,
    questions.map((read, place) => ({ read, vector: vectors[place] ?? null })),
    BY_WORDS_AND_MEANING,
    { ...filter, accepts, limit: HITS, now },
  )
  const pairs = fresh.flatMap((one, place) => {
    const near = (found[place] ?? [])
      .flatMap(({ id }) => standing.get(id) ?? [])
      .filter((memory) => !standsIn(memory, segment))
    const due = duePlansSharing(standing, one.candidate.text, now)
    const plans = due.filter(({ id }) => !named.has(id) && !passed.has(id))
    return clashing(one, { found: near, plans }, rare).filter(
      ({ known: { id }, shared }) => !passed.has(id) || shared >= LEAST_SHARED_WHEN_PASSED,
    )
  })
  const best = pairs.sort((one, other) => other.shared - one.shared).slice(0, MOST_PAIRS)
  return [...Map.groupBy(best, ({ fresh: { candidate } }) => candidate).values()].flat()
}

/** What rules drew from the very turns while no model could read them goes when these are read. */
function standsIn({ evidence }: Memory, { turns }: Segment): boolean {
  return evidence.length > 0 && evidence.every((one) => turns.some(({ id }) => id === one.turn))
}

/** Of the memories that a statement found, and of plans that are due, those that may say the same, or no longer hold. */
function clashing(
  fresh: Fresh,
  { found, plans }: { readonly found: readonly Memory[]; readonly plans: readonly Memory[] },
  rare: RareWords,
): Pair[] {
  const pairsWith = (memories: readonly Memory[], likeness: Likeness): Pair[] =>
    memories
      .filter((known) => isOfOneMatter(fresh.candidate, known))
      // What is said again word for word meets it by itself.
      .filter((known) => !sameStatement(fresh.candidate.text, known.text))
      .map((known) => ({ fresh, known, shared: likeness(fresh.candidate, known, rare) }))
      .sort((one, other) => other.shared - one.shared)
  const alike = pairsWith(found, sharedBy).filter(({ shared }) => shared >= LEAST_SHARED)
  const [plan] = pairsWith(plans, sharedMatter)
  const isNew = plan !== undefined && !alike.some(({ known }) => known.id === plan.known.id)
  return isNew && plan.shared >= LEAST_SHARED_WITH_PLAN ? [...alike, plan] : alike
}

type Likeness = (candidate: Candidate, memory: Memory, rare: RareWords) => number

function isOfOneMatter(candidate: Candidate, { subject, text, validUntil, pinned }: Memory): boolean {
  if (validUntil !== null || pinned) return false
  return subject === candidate.subject || text.includes(candidate.subject) || candidate.text.includes(subject)
}

/** Of what the words of the shorter one tell, how much both hold. */
function sharedBy(candidate: Candidate, memory: Memory, rare: RareWords): number {
  return shareOf(findTerms(candidate.text), findTerms(memory.text), rare)
}

/** The same without numbers, dates and whom it is about, which say nothing of a plan's matter. */
function sharedMatter(candidate: Candidate, memory: Memory, rare: RareWords): number {
  const names = new Set(findTerms(`${candidate.subject} ${memory.subject}`))
  const matter = (text: string): string[] =>
    findTerms(text).filter((term) => !names.has(term) && !/[\d〇一二三四五六七八九十年月日]/u.test(term))
  return shareOf(matter(candidate.text), matter(memory.text), rare)
}

function shareOf(one: readonly string[], other: readonly string[], rare: RareWords): number {
  const own = new Set(one)
  const known = new Set(other)
  const least = Math.min(rare.worthOf(own), rare.worthOf(known))
  return least === 0 ? 0 : rare.worthOf([...own].filter((term) => known.has(term))) / least
}
