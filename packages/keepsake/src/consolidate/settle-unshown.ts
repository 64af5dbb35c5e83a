import type { GroundedCandidate, GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { settlePrompt, type SettleAnswer } from '../prompts/settle.ts'
import { findTerms } from '../text/analyse-text.ts'
import { answerOr } from './park-job.ts'
import { accepting, BY_WORDS_AND_MEANING, factsOf, type Known } from './known-of-scope.ts'
import { RareWords } from './rare-words.ts'

/** Found for each new statement, before it is seen whether they are alike. */
const HITS = 4
/** Asked about in one call. */
const MOST_PAIRS = 8
/** Of what the words of the shorter of two statements tell, so much is shared when they are about one matter. */
const LEAST_SHARED = 0.4

/** What a segment yielded, and the memories that its operations name by number. */
export interface Settled {
  readonly grounded: GroundedExtraction
  readonly related: readonly Memory[]
}

interface Pair {
  readonly fresh: GroundedCandidate
  readonly known: Memory
}

/**
 * Catches new statements that say anew, or make untrue, what is known and was not shown to whoever read the segment: each
 * is held against the live facts of its subject that are worded like it, and the model is asked once how they stand to
 * each other. Where there are none, nothing is asked. What stands under a key of which there is one at a time needs no
 * model.
 *
 * @returns the same with such statements as changes of the memories they meet
 */
export async function settleUnshown(
  known: Known,
  segment: Segment,
  { grounded, related }: Settled,
  ask: AskModel,
): Promise<Settled> {
  const pairs = await findPairs(known, segment, grounded.candidates, related)
  if (pairs.length === 0) return { grounded, related }
  const texts = pairs.map(({ fresh, known: memory }) => ({ fresh: fresh.candidate.text, known: memory.text }))
  const language = promptLanguage(texts.map(({ fresh }) => fresh))
  const { verdicts } = await answerOr(ask.ask(settlePrompt, { pairs: texts }, { language }), { verdicts: [] })
  return applyVerdicts({ grounded, related }, pairs, verdicts)
}

function applyVerdicts(
  { grounded, related }: Settled,
  pairs: readonly Pair[],
  verdicts: SettleAnswer['verdicts'],
): Settled {
  const met = pairs.flatMap((one, place) => {
    const given = verdicts.find(({ pair }) => pair === place + 1)?.verdict ?? 'both'
    return given === 'both' ? [] : [{ ...one, verdict: given }]
  })
  // A statement takes one place, and a memory is changed once.
  const first = met.filter(
    (one, place) =>
      !met.slice(0, place).some(({ fresh, known }) => fresh === one.fresh || known.id === one.known.id),
  )
  const changed = new Set(first.map(({ fresh }) => fresh))
  const operations = first.map(({ fresh: { candidate, reason }, known, verdict }, place) => {
    const { text, key, value } = known
    const stated = verdict === 'same' ? { ...candidate, text, key, value } : candidate
    return {
      operation: { kind: 'modify', index: related.length + place + 1, candidate: stated } as const,
      reason,
    }
  })
  return {
    grounded: {
      candidates: grounded.candidates.filter((one) => !changed.has(one)),
      operations: [...grounded.operations, ...operations],
    },
    related: [...related, ...first.map(({ known }) => known)],
  }
}

async function findPairs(
  { engine, cache }: Known,
  segment: Segment,
  candidates: readonly GroundedCandidate[],
  related: readonly Memory[],
): Promise<Pair[]> {
  const believed = candidates.filter(({ reason }) => reason === null)
  const shown = new Set(related.map(({ id }) => id))
  const now = segment.turns.at(-1)?.at ?? 0
  const questions = believed.map(({ candidate }) => cache.index.readQuestion(candidate.text, { now }))
  const vectors = await engine.embedding.embed(questions.map(({ about }) => about))
  const filter = accepting(cache, segment.scope)
  const rare = new RareWords(factsOf(cache, segment.scope).map(({ text }) => text))
  const pairs = believed.flatMap((fresh, place) => {
    const read = questions[place]
    if (read === undefined) return []
    const accepts = (id: string): boolean => !shown.has(id) && (filter.accepts?.(id) ?? true)
    const options = { ...filter, accepts, limit: HITS, now }
    const { hits } = cache.index.search(
      { read, vector: vectors[place] ?? null },
      BY_WORDS_AND_MEANING,
      options,
    )
    return hits.flatMap(({ id }): Pair[] => {
      const memory = cache.known(id)?.memory
      return memory !== undefined && mayClash(fresh.candidate, memory, rare) ? [{ fresh, known: memory }] : []
    })
  })
  return pairs.slice(0, MOST_PAIRS)
}

function mayClash(candidate: Candidate, memory: Memory, rare: RareWords): boolean {
  if (memory.subject !== candidate.subject || memory.validUntil !== null || memory.pinned) return false
  const own = new Set(findTerms(candidate.text))
  const other = new Set(findTerms(memory.text))
  const shared = rare.worthOf([...own].filter((term) => other.has(term)))
  return shared >= LEAST_SHARED * Math.min(rare.worthOf(own), rare.worthOf(other))
}
