// Compares new statements with the facts that the extractor was not shown.
import { findTerms, readDate } from '@keepsake/text'
import { latestTurn } from '../extraction/answer-parts.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction, GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import { oncePerFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { type SettleAnswer, settlePrompt } from '../prompts/settle.ts'
import type { Turn } from '../turns/turn.ts'
import { plainFacts, searchFacts, type UserKnowledge } from './find-related.ts'
import { answerOr } from './park-job.ts'
import { RareWords } from './shared-words.ts'

/** Maximum number of hits per statement, and of pairs that the model compares. */
const HITS = 4
const MAX_PAIRS = 8
/** Minimum share of common words (see `RareWords.sharedBy`) of two statements that may have the same topic. */
const MIN_SHARED = 0.4
/** The minimum for memories that the extractor was shown and did not change. */
const MIN_SHARED_WITH_SHOWN = 0.6
/** The minimum for due plans, whose numbers and names are not compared. */
const MIN_SHARED_WITH_PLAN = 0.25

/** An extraction, and the memories to whose numbers its operations refer. */
export interface ComparedExtraction {
  readonly grounded: GroundedExtraction
  readonly related: readonly Memory[]
}

interface NewStatement {
  readonly candidate: Candidate
  /** Whether the statement changes a memory that the extractor was shown. */
  readonly isChange: boolean
}

/** A new statement and a known one that may have the same topic. */
interface StatementPair {
  readonly statement: NewStatement
  readonly known: Memory
  /** Share of common words, 0 to 1. */
  readonly shared: number
}

interface ComparedPair extends StatementPair {
  readonly verdict: Exclude<SettleAnswer['verdicts'][number]['verdict'], 'both'>
}

/**
 * Finds new statements that repeat or contradict facts which the extractor was not shown. The model decides on all pairs in
 * one call. Such statements become changes of these facts.
 */
export async function compareUnshown(
  user: UserKnowledge,
  segment: Segment,
  extraction: ComparedExtraction,
  ask: AskModel,
): Promise<ComparedExtraction> {
  const pairs = await findPairs(user, segment, extraction)
  if (pairs.length === 0) return extraction
  const texts = pairs.map(({ statement, known }) => ({ fresh: statement.candidate.text, known: known.text }))
  const language = promptLanguage(texts.map(({ fresh }) => fresh))
  const { verdicts } = await answerOr(ask.ask(settlePrompt, { pairs: texts }, { language }), { verdicts: [] })
  const compared = pairs.flatMap((pair, index): ComparedPair[] => {
    const verdict = verdicts.find((answer) => answer.pair === index + 1)?.verdict ?? 'both'
    return verdict === 'both' ? [] : [{ ...pair, verdict }]
  })
  return applyVerdicts(extraction, compared, segment.turns)
}

/** Makes operations of the verdicts. A statement replaces the first memory of its pairs, and expires the others. */
function applyVerdicts(
  { grounded, related }: ComparedExtraction,
  pairs: readonly ComparedPair[],
  turns: readonly Turn[],
): ComparedExtraction {
  /** Maps a statement to the statement that replaces a memory. */
  const replacements = new Map<Candidate, Candidate>()
  const memories: Memory[] = []
  const changedIds = new Set<string>()
  const operations: GroundedOperation[] = []
  for (const { statement, known, verdict } of pairs) {
    const { candidate, isChange } = statement
    const canReplace = !isChange && !replacements.has(candidate)
    const isChangedBefore = changedIds.has(known.id)
    changedIds.add(known.id)
    // Another repetition of a memory adds nothing.
    if (isChangedBefore || (!canReplace && verdict === 'same')) continue
    memories.push(known)
    const index = related.length + memories.length
    if (canReplace) {
      const { subject, text, key, value } = known
      const knownFields = verdict === 'same' ? { subject, text, key, value } : { subject }
      const replacement = { ...candidate, ...knownFields }
      replacements.set(candidate, replacement)
      operations.push({ operation: { kind: 'modify', index, candidate: replacement }, reason: null })
      continue
    }
    const successor = replacements.get(candidate) ?? candidate
    const { evidence, validFrom } = successor
    // The end is not known, so the time of the statement is used. A plan that starts later ends at its start.
    const at = Math.max(latestTurn(evidence, turns)?.at ?? validFrom, known.validFrom)
    operations.push({
      operation: { kind: 'delete', index, why: 'no-longer-so', at, evidence, successor },
      reason: null,
    })
  }
  return {
    grounded: {
      candidates: grounded.candidates.filter(({ candidate }) => !replacements.has(candidate)),
      operations: [...grounded.operations, ...operations],
    },
    related: [...related, ...memories],
  }
}

/** Finds the pairs of new and known statements that the model compares, grouped by the new statement. */
async function findPairs(
  user: UserKnowledge,
  segment: Segment,
  { grounded, related }: ComparedExtraction,
): Promise<StatementPair[]> {
  const now = segment.turns.at(-1)?.at ?? 0
  const statements = newStatements(grounded)
  const changedIds = grounded.operations.flatMap(({ operation }) =>
    operation.kind === 'add' ? [] : (related[operation.index - 1]?.id ?? []),
  )
  const changed = new Set(changedIds)
  const shown = new Set(related.map(({ id }) => id))
  const facts = plainFacts(user.state, segment.scope)
  const rare = new RareWords(facts.map(wordsOf))
  const duePlans = facts.filter(
    (fact) => isDuePlan(fact, now) && !changed.has(fact.id) && !shown.has(fact.id),
  )
  const hits = await searchFacts(
    user,
    segment,
    statements.map(({ candidate }) => ({ text: candidate.text, at: now })),
    { limit: HITS, accepts: (id) => !changed.has(id) },
  )
  const pairs = statements.flatMap((statement, index) => {
    const { candidate } = statement
    const pairWith = (memories: readonly Memory[], shareOf: typeof sharedWords): StatementPair[] =>
      memories
        // The merge finds verbatim repetitions by itself.
        .filter(
          (known) => mayBeSameSubject(candidate, known, now) && !sameStatement(candidate.text, known.text),
        )
        .map((known) => ({ statement, known, shared: shareOf(candidate, known, rare) }))
        .sort((a, b) => b.shared - a.shared)
    const unshownHits = (hits[index] ?? []).filter((memory) => !restsOnSegment(memory, segment))
    const similar = pairWith(unshownHits, sharedWords).filter(({ shared }) => shared >= MIN_SHARED)
    const words = new Set(findTerms(candidate.text))
    const plans = duePlans.filter((plan) => wordsOf(plan).some((word) => words.has(word)))
    const [plan] = pairWith(plans, sharedTopicWords)
    const isNewPlan = plan !== undefined && !similar.some(({ known }) => known.id === plan.known.id)
    const all = isNewPlan && plan.shared >= MIN_SHARED_WITH_PLAN ? [...similar, plan] : similar
    return all.filter(({ known, shared }) => !shown.has(known.id) || shared >= MIN_SHARED_WITH_SHOWN)
  })
  const best = pairs.sort((a, b) => b.shared - a.shared).slice(0, MAX_PAIRS)
  return [...Map.groupBy(best, ({ statement }) => statement.candidate).values()].flat()
}

function newStatements({ candidates, operations }: GroundedExtraction): NewStatement[] {
  const added = candidates.filter(({ reason }) => reason === null)
  const changes = operations.flatMap(({ operation, reason }) =>
    reason === null && operation.kind === 'modify'
      ? [{ candidate: operation.candidate, isChange: true }]
      : [],
  )
  return [...added.map(({ candidate }) => ({ candidate, isChange: false })), ...changes]
}

/** Checks for a fact that rests only on the segment. The stand-in extractor made it, and it is deleted after this reading. */
function restsOnSegment({ evidence }: Memory, { turns }: Segment): boolean {
  return evidence.length > 0 && evidence.every((source) => turns.some(({ id }) => id === source.turn))
}

/** Checks whether a memory is current, and its subject is that of a statement or is named by it, or the reverse. */
function mayBeSameSubject(candidate: Candidate, memory: Memory, now: number): boolean {
  const { subject, text, pinned } = memory
  if (isOver(memory, now) || pinned) return false
  return subject === candidate.subject || text.includes(candidate.subject) || candidate.text.includes(subject)
}

const wordsOf = oncePerFact(({ text }: Memory) => [...new Set(findTerms(text))])

function sharedWords(candidate: Candidate, memory: Memory, rare: RareWords): number {
  return rare.sharedBy(findTerms(candidate.text), findTerms(memory.text))
}

/** Computes the share of common words without numbers, dates and names, which say nothing about the topic of a plan. */
function sharedTopicWords(candidate: Candidate, memory: Memory, rare: RareWords): number {
  const names = new Set(findTerms(`${candidate.subject} ${memory.subject}`))
  const topic = (text: string): string[] =>
    findTerms(text).filter((term) => !names.has(term) && !/[\d〇一二三四五六七八九十年月日]/u.test(term))
  return rare.sharedBy(topic(candidate.text), topic(memory.text))
}

/** Matches days and months in statements: `2026-03-05`, `2026-03`, `2026年3月5日`, `March 5, 2026`, `5 March 2026`, `March 2026`. */
const DATE = new RegExp(
  [
    String.raw`\d{4}-\d{2}(?:-\d{2})?`,
    String.raw`\d{4}年\d{1,2}月(?:\d{1,2}日)?`,
    String.raw`(?:\d{1,2} )?(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2},)? \d{4}`,
  ].join('|'),
  'giu',
)
const DAY_MS = 86_400_000
/** A plan becomes due two weeks before its day. */
const DUE_BEFORE_MS = 14 * DAY_MS

/** Returns the first day that a plan names and that is later than its statement; infinite if there is none. */
const dayOfPlan = oncePerFact(({ text, learnedAt }: Memory): number => {
  const days = (text.match(DATE) ?? []).map(
    (written) => readDate(written, null)?.from ?? Date.parse(`${written} UTC`),
  )
  return Math.min(...days.filter((at) => at > learnedAt + DAY_MS))
})

/** Checks whether a memory is a plan whose day, at the segment's time, is past or near. Talk about it often uses other words. */
export function isDuePlan(memory: Memory, now: number): boolean {
  return !isOver(memory, now) && dayOfPlan(memory) <= now + DUE_BEFORE_MS
}
