import { findTerms } from '../text/analyse-text.ts'
import { compareValues } from '../persona/compare-values.ts'
import type { Memory } from '../operations/memory.ts'
import type { Request } from './candidate.ts'

/** A live memory that a request may mean, with the words it rests on. */
export interface RequestTarget {
  readonly memory: Pick<
    Memory,
    'id' | 'form' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'validUntil'
  >
  /** The text of its evidence: quotes, or whole turns. Utterances have no other words. */
  readonly evidenceText: string
}

export interface MatchOptions {
  /** Who asks: `user` or the speaker's name. Only they can end facts about themself. */
  readonly speaker: string
  /** Turns that "what I just said" means: the speaker's turn before the request. */
  readonly justSaid: readonly string[]
  /** Cosine of two texts, −1 to 1. Without it only words count. */
  readonly similarity?: (one: string, other: string) => number
}

/**
 * Share of a request's content words that a memory must hold. Dropping the wrong memory is worse than asking
 * again, so of one to three words all must be there, and of four or more three in four.
 */
const LEAST_COVERAGE = 0.75
/** Words said otherwise ("where I work", "my job") pass with half of them, if the meaning is this close. */
const LEAST_COVERAGE_WHEN_CLOSE = 0.5
const CLOSE = 0.7
/** Matches this far below the best are about something else that shares words. */
const BEST_GROUP = 0.15

export interface RequestMatch {
  readonly memory: string
  /** 0 to 1. */
  readonly score: number
  readonly why: string
}

/**
 * Which memories a "forget" or "end" request means; the best group only, empty when nothing fits. "Forget Anna"
 * means everything that tells of Anna; "I no longer live in Lyon" the one fact that says so.
 */
export function matchRequest(
  request: Request,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): RequestMatch[] {
  const own = targets.filter(({ memory }) => !restsOnlyOnRequest(memory, request))
  switch (request.kind) {
    case 'forget':
      return request.about === null ? matchJustSaid(own, options) : matchWords(request.about, own, options)
    case 'end':
      return matchEnd(request, own, options)
    case 'change':
      return []
  }
}

function restsOnlyOnRequest(memory: RequestTarget['memory'], request: Request): boolean {
  if (request.kind === 'change') return false
  return memory.evidence.length > 0 && memory.evidence.every((one) => one.turn === request.evidence.turn)
}

function matchJustSaid(targets: readonly RequestTarget[], options: MatchOptions): RequestMatch[] {
  const turns = new Set(options.justSaid)
  return targets
    .filter(
      ({ memory }) =>
        memory.form !== 'story' &&
        memory.form !== 'summary' &&
        memory.evidence.some((one) => turns.has(one.turn)),
    )
    .map(({ memory }) => ({ memory: memory.id, score: 1, why: 'it is what was just said' }))
}

function matchWords(about: string, targets: readonly RequestTarget[], options: MatchOptions): RequestMatch[] {
  const asked = new Set(findTerms(about))
  if (asked.size === 0) return []
  const scored = targets.flatMap((target) => {
    if (target.memory.form === 'story' || target.memory.form === 'summary') return []
    const words = `${target.memory.text} ${target.memory.value ?? ''} ${target.memory.key ?? ''}`
    const coverage = Math.max(coverageOf(asked, words), coverageOf(asked, target.evidenceText))
    const closeness = coverage < LEAST_COVERAGE_WHEN_CLOSE ? 0 : (options.similarity?.(about, words) ?? 0)
    const needed = asked.size <= 3 ? 1 : LEAST_COVERAGE
    const fits = coverage >= needed || (coverage >= LEAST_COVERAGE_WHEN_CLOSE && closeness >= CLOSE)
    return fits
      ? [
          {
            memory: target.memory.id,
            score: coverage,
            why: `it holds ${Math.round(coverage * 100)} % of the words of “${about}”`,
          },
        ]
      : []
  })
  return bestGroup(scored)
}

function coverageOf(asked: ReadonlySet<string>, text: string): number {
  const held = new Set(findTerms(text))
  let covered = 0
  for (const term of asked) if (held.has(term)) covered++
  return covered / asked.size
}

function matchEnd(
  request: Extract<Request, { kind: 'end' }>,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): RequestMatch[] {
  const facts = targets.filter(
    ({ memory }) =>
      memory.form === 'fact' && memory.subject === options.speaker && memory.validUntil === null,
  )
  const { key, value } = request
  if (key !== null && value !== null) {
    const same = facts.filter(
      ({ memory }) => memory.key === key && compareValues(value, memory.value ?? '') !== 'different',
    )
    if (same.length > 0)
      return same.map(({ memory }) => ({
        memory: memory.id,
        score: 1,
        why: `${key} no longer holds “${value}”`,
      }))
  }
  const asked = new Set(findTerms(request.about))
  if (asked.size === 0) return []
  const covered = facts
    .filter(({ memory }) => memory.key !== 'experiences')
    .map(({ memory }) => ({
      memory: memory.id,
      score: coverageOf(asked, memory.text),
      why: `it says “${request.about}”, which is over`,
    }))
    .filter(({ score }) => score === 1)
  return bestGroup(covered)
}

function bestGroup(matches: readonly RequestMatch[]): RequestMatch[] {
  const best = Math.max(...matches.map((match) => match.score))
  return matches.filter((match) => match.score >= best - BEST_GROUP)
}
