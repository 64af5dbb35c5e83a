import { latestTurn } from '../extraction/answer-parts.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction, GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import { oncePerFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { embedCached } from '../models/embed-cached.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { type SettleAnswer, settlePrompt } from '../prompts/settle.ts'
import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { Turn } from '../turns/turn.ts'
import { findTerms, readDate } from '@keepsake/text'
import { accepting, BY_WORDS_AND_MEANING, factsOf, type UserKnowledge } from './rank-touched.ts'
import { answerOr } from './park-job.ts'
import { RareWords } from './shared-words.ts'

const wordsOf = oncePerFact(({ text }: Memory) => [...new Set(findTerms(text))])

const HITS = 4
const MOST_PAIRS = 8
/** Least share of the shorter statement's word weights that makes two statements about one topic. */
const LEAST_SHARED = 0.4
/** The same for memories that were shown and not changed. */
const LEAST_SHARED_WHEN_PASSED = 0.6
/** The same for due plans, without numbers. */
const LEAST_SHARED_WITH_PLAN = 0.25

/** An extraction, and the memories that its operations number. */
export interface Settled {
  readonly grounded: GroundedExtraction
  readonly related: readonly Memory[]
}

interface Shown {
  readonly named: ReadonlySet<string>
  readonly passed: ReadonlySet<string>
}

function shownIn({ operations }: GroundedExtraction, related: readonly Memory[]): Shown {
  const indexes = operations.flatMap(({ operation }) => (operation.kind === 'add' ? [] : [operation.index]))
  const named = new Set(indexes.flatMap((index) => related[index - 1]?.id ?? []))
  return { named, passed: new Set(related.flatMap(({ id }) => (named.has(id) ? [] : [id]))) }
}

interface Fresh {
  readonly candidate: Candidate
  readonly isChange: boolean
}

interface Pair {
  readonly fresh: Fresh
  readonly known: Memory
  /** How likely they share a topic, 0 to 1. */
  readonly shared: number
}

/**
 * Finds new statements that repeat or contradict facts which the extractor was not shown. Compares them with similar
 * facts and due plans, and asks the model once about all pairs. Single-value keys need no model.
 *
 * @returns the extraction with such statements as changes of the facts
 */
export async function settleUnshown(
  known: UserKnowledge,
  segment: Segment,
  { grounded, related }: Settled,
  ask: AskModel,
): Promise<Settled> {
  const pairs = await findPairs(known, segment, freshOf(grounded), shownIn(grounded, related))
  if (pairs.length === 0) return { grounded, related }
  const texts = pairs.map(({ fresh, known: memory }) => ({ fresh: fresh.candidate.text, known: memory.text }))
  const language = promptLanguage(texts.map(({ fresh }) => fresh))
  const { verdicts } = await answerOr(ask.ask(settlePrompt, { pairs: texts }, { language }), { verdicts: [] })
  const met = pairs.flatMap((one, index): Met[] => {
    const verdict = verdicts.find(({ pair }) => pair === index + 1)?.verdict ?? 'both'
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

/** A statement replaces one memory and expires the others that it contradicts; each memory is used once. */
function applyVerdicts({ grounded, related }: Settled, all: readonly Met[], turns: readonly Turn[]): Settled {
  const met = all.filter((pair, i) => all.findIndex(({ known }) => known.id === pair.known.id) === i)
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
    // The end is unknown: it ended by the time of the statement. A cancelled plan ends before its day.
    const statedAt = latestTurn(evidence, turns)?.at ?? successor.validFrom
    const at = Math.max(statedAt, known.validFrom)
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
  { engine, state }: UserKnowledge,
  segment: Segment,
  fresh: readonly Fresh[],
  { named, passed }: Shown,
): Promise<Pair[]> {
  const now = segment.turns.at(-1)?.at ?? 0
  const questions = fresh.map(({ candidate }) => readQuestionFor(state.index, candidate.text, { now }))
  const vectors = await embedCached(
    engine.embedding,
    questions.map(({ about }) => about),
  )
  const filter = accepting(state, segment.scope)
  const standing = state.facts(segment.scope)
  const facts = factsOf(state, segment.scope)
  const rare = new RareWords(facts.map(wordsOf))
  const due = facts.filter((fact) => isDuePlan(fact, now) && !named.has(fact.id) && !passed.has(fact.id))
  const accepts = (id: string): boolean => !named.has(id) && (filter.accepts?.(id) ?? true)
  const options = { ...filter, accepts, limit: HITS, now }
  const found = questions.map((read, i) =>
    searchIndex(state.index, { read, vector: vectors[i] ?? null }, BY_WORDS_AND_MEANING, options),
  )
  const pairs = fresh.flatMap((one, index) => {
    const near = (found[index]?.hits ?? [])
      .flatMap(({ id }) => standing.get(id) ?? [])
      .filter((memory) => !isFallback(memory, segment))
    const words = new Set(findTerms(one.candidate.text))
    const plans = due.filter((plan) => wordsOf(plan).some((word) => words.has(word)))
    return clashing(one, { found: near, plans, now }, rare).filter(
      ({ known: { id }, shared }) => !passed.has(id) || shared >= LEAST_SHARED_WHEN_PASSED,
    )
  })
  const best = pairs.sort((a, b) => b.shared - a.shared).slice(0, MOST_PAIRS)
  return [...Map.groupBy(best, ({ fresh: { candidate } }) => candidate).values()].flat()
}

/** Detects a fact of the fallback extractor, which is deleted when the model reads its turns. */
function isFallback({ evidence }: Memory, { turns }: Segment): boolean {
  return evidence.length > 0 && evidence.every((source) => turns.some(({ id }) => id === source.turn))
}

function clashing(
  fresh: Fresh,
  {
    found,
    plans,
    now,
  }: { readonly found: readonly Memory[]; readonly plans: readonly Memory[]; readonly now: number },
  rare: RareWords,
): Pair[] {
  const pairsWith = (memories: readonly Memory[], likeness: Likeness): Pair[] =>
    memories
      .filter((known) => isOfOneMatter(fresh.candidate, known, now))
      // Verbatim repetitions merge by themselves.
      .filter((known) => !sameStatement(fresh.candidate.text, known.text))
      .map((known) => ({ fresh, known, shared: likeness(fresh.candidate, known, rare) }))
      .sort((a, b) => b.shared - a.shared)
  const alike = pairsWith(found, sharedBy).filter(({ shared }) => shared >= LEAST_SHARED)
  const [plan] = pairsWith(plans, sharedMatter)
  const isNew = plan !== undefined && !alike.some(({ known }) => known.id === plan.known.id)
  return isNew && plan.shared >= LEAST_SHARED_WITH_PLAN ? [...alike, plan] : alike
}

type Likeness = (candidate: Candidate, memory: Memory, rare: RareWords) => number

function isOfOneMatter(candidate: Candidate, memory: Memory, now: number): boolean {
  const { subject, text, pinned } = memory
  if (isOver(memory, now) || pinned) return false
  return subject === candidate.subject || text.includes(candidate.subject) || candidate.text.includes(subject)
}

function sharedBy(candidate: Candidate, memory: Memory, rare: RareWords): number {
  return shareOf(findTerms(candidate.text), findTerms(memory.text), rare)
}

/** The same without numbers, dates and names, which say nothing about a plan's topic. */
function sharedMatter(candidate: Candidate, memory: Memory, rare: RareWords): number {
  const names = new Set(findTerms(`${candidate.subject} ${memory.subject}`))
  const matter = (text: string): string[] =>
    findTerms(text).filter((term) => !names.has(term) && !/[\d〇一二三四五六七八九十年月日]/u.test(term))
  return shareOf(matter(candidate.text), matter(memory.text), rare)
}

function shareOf(first: readonly string[], second: readonly string[], rare: RareWords): number {
  const own = new Set(first)
  const known = new Set(second)
  const least = Math.min(rare.sum(own), rare.sum(known))
  return least === 0 ? 0 : rare.sum([...own].filter((term) => known.has(term))) / least
}

/** Days and months as statements write them: `2026-03-05`, `2026-03`, `2026年3月5日`, `March 5, 2026`, `5 March 2026`, `March 2026`. */
const DATE = new RegExp(
  [
    String.raw`\d{4}-\d{2}(?:-\d{2})?`,
    String.raw`\d{4}年\d{1,2}月(?:\d{1,2}日)?`,
    String.raw`(?:\d{1,2} )?(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2},)? \d{4}`,
  ].join('|'),
  'giu',
)
const DAY_MS = 86_400_000
/** Plans this close are treated as due. */
const SOON_MS = 14 * DAY_MS

function momentOf(written: string): number | null {
  const read = readDate(written, null)
  if (read !== null) return read.from
  const parsed = Date.parse(`${written} UTC`)
  return Number.isNaN(parsed) ? null : parsed
}

/** Returns the first future day that a statement names; infinite if there is none. */
const dayOfPlan = oncePerFact(({ text, learnedAt }: Memory): number => {
  const days = (text.match(DATE) ?? []).flatMap((written) => momentOf(written) ?? [])
  return Math.min(...days.filter((at) => at > learnedAt + DAY_MS))
})

/**
 * Checks whether a memory is a plan whose day has come or is near. Such plans often change without being mentioned.
 *
 * @param now time of the segment, milliseconds since 1970
 */
export function isDuePlan(memory: Memory, now: number): boolean {
  return !isOver(memory, now) && dayOfPlan(memory) <= now + SOON_MS
}
