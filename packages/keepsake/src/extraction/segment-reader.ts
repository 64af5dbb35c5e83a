import type { Evidence } from '../memories/evidence.ts'
import { type ProposedOperation, candidateOf, type Candidate } from '../memories/candidate.ts'
import {
  findKey,
  findTerms,
  loadDateReader,
  simplifyChinese,
  type DateReader,
  type KeyTable,
} from '@keepsake/text'
import { segmentPrompt, type SegmentAnswer, type SegmentMemory } from '../prompts/segment.ts'
import type { Turn } from '../turns/turn.ts'
import { BLANK, isOver, type GroundingLabel, type Memory, type MemoryType } from '../memories/memory.ts'
import type { Extraction, Extractor, RelatedBudget, Request } from './extractor.ts'
import {
  evidenceOf,
  importanceOf,
  keyAndValue,
  keyNames,
  latestTurn,
  subjectOf,
  timesOf,
} from './answer-parts.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { readerAsking, type ShownSegment } from './read-by-model.ts'

export interface SegmentReaderOptions {
  readonly table: KeyTable
  /** Room for the known memories that the model is shown. */
  readonly related?: RelatedBudget
}

/** Keys not named to the model, to save tokens in each segment; it may still answer with them. */
const RARELY: ReadonlySet<string> = new Set(
  [
    'nickname gender nationality zodiac blood-type height form-of-address mood health-state current-activity identity',
    'background appearance weaknesses learning routines favourites skills fears possessions beliefs religion achievements',
    'contact-details wishes field-of-work relationship-with-agent relationship-change liked-people disliked-people supports',
    'opposes favourite-colour favourite-animal favourite-song favourite-film favourite-book favourite-sport favourite-place',
    'favourite-artist favourite-show favourite-author favourite-game favourite-team favourite-season favourite-subject',
    'favourite-flower',
  ].flatMap((ids) => ids.split(' ')),
)

/** Budget of related memories; a memory left out cannot be changed. */
const RELATED: RelatedBudget = { most: 48, tokens: 1_200 }

/**
 * Extracts a segment with one call: events, facts, changes and requests to forget. Skips what the model labels as a
 * joke, a supposition, a play or a quotation.
 *
 * @example
 * const { candidates, operations, summary } = await segmentReader({ table }).extract(segment, { ask, related })
 */
export function segmentReader({ table, related = RELATED }: SegmentReaderOptions): Extractor {
  return readerAsking(segmentPrompt, {
    id: 'segment',
    related,
    tellsMatters: true,
    inputOf: ({ turns, before = [], related: memories, language }) => {
      return { turns, before, memories, keys: namedKeys(table, language) }
    },
    read: async (answer, shown) => toExtraction(answer, shown, { table, dates: await loadDateReader() }),
  })
}

export function namedKeys(table: KeyTable, language: PromptLanguage): string[] {
  return keyNames(table, language, (key) => key.type !== 'event' && !RARELY.has(key.id))
}

const LABELS: Readonly<Record<NonNullable<SegmentMemory['word']>, GroundingLabel | null>> = {
  user: 'user-stated',
  agreed: 'user-confirmed',
  agent: 'agent-stated',
  unmeant: null,
  unclear: 'other',
}

function toExtraction(
  answer: SegmentAnswer,
  { turns, related }: Pick<ShownSegment, 'turns' | 'related'>,
  { table, dates }: { readonly table: KeyTable; readonly dates: DateReader },
): Extraction {
  const candidates: Candidate[] = []
  const operations: ProposedOperation[] = []
  const words = new Map<Candidate, GroundingLabel>()
  const taken = new Set<number>()
  for (const memory of [...answer.memories, ...answer.missed]) {
    const label = LABELS[memory.word ?? wordOf(memory, turns)]
    if (label === null || memory.text.trim() === '') continue
    // Each memory is replaced once; further statements stand beside it.
    const changes = memory.changes.filter((index) => related[index - 1] !== undefined && !taken.has(index))
    for (const index of changes) taken.add(index)
    const [first, ...others] = changes
    const known = first === undefined ? undefined : related[first - 1]
    const candidate = asKnown(
      withOwnKey(factOf(memory, turns, { table, dates }), [...words.keys()], {
        table,
        at: turns.at(-1)?.at ?? 0,
      }),
      known,
    )
    words.set(candidate, label)
    // An unknown number leaves a statement of its own.
    if (first === undefined) candidates.push(candidate)
    else {
      const at = endOf(memory, candidate, turns)
      operations.push(
        { kind: 'modify', index: first, candidate },
        ...endedBy({ candidate, at }, others, related),
      )
    }
  }
  const requests = answer.forget.flatMap((one) => forgetRequest(one, turns))
  operations.push(...answer.forget.flatMap((one) => deletionsAsked(one, turns)))
  return { candidates, requests, operations, words, summary: summaryOf(answer, turns) }
}

/** Detects statements about the agent with a missing subject. */
function isOfAgent({ word, subject, text }: SegmentMemory): boolean {
  return (
    word === 'agent' && subject === 'user' && /^(?:the )?(?:agent|assistant)\b|^(?:助手|助理)/iu.test(text)
  )
}

/** Without an attribution, quoted words of the user count as the user's. */
function wordOf({ evidence }: SegmentMemory, turns: readonly Turn[]): 'user' | 'unclear' {
  return evidence.some(({ turn }) => turns[turn - 1]?.role === 'user') ? 'user' : 'unclear'
}

function factOf(
  memory: SegmentMemory,
  turns: readonly Turn[],
  { table, dates }: { readonly table: KeyTable; readonly dates: DateReader },
): Candidate {
  const evidence = evidenceOf(memory.evidence, turns)
  // A key determines the type.
  const type = memory.type ?? (memory.key === null ? undefined : findKey(table, memory.key))?.type ?? 'event'
  return candidateOf({
    type,
    subject: subjectOf(isOfAgent(memory) ? 'agent' : memory.subject, evidence, turns),
    text: memory.text.trim(),
    ...keyAndValue(memory, table),
    evidence,
    ...timesHeld({ ...memory, type }, latestTurn(evidence, turns), dates),
    signals: { ...BLANK.signals, importance: importanceOf(memory.importance) },
  })
}

/** Expires further memories that one statement makes untrue, if they have the same subject. */
function endedBy(
  { candidate: successor, at: ended }: { readonly candidate: Candidate; readonly at: number },
  indexes: readonly number[],
  related: readonly Memory[],
): ProposedOperation[] {
  const { evidence } = successor
  return indexes.flatMap((index): ProposedOperation[] => {
    const known = related[index - 1]
    if (known === undefined || asKnown(successor, known).subject !== known.subject) return []
    // A cancelled plan ends before its day.
    const at = Math.max(ended, known.validFrom)
    return [{ kind: 'delete', index, why: 'no-longer-so', at, evidence, successor }]
  })
}

const ONE_DAY = /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/

/** Returns when a contradicted fact ended: a day that the text names, else the time of the statement. */
function endOf({ when }: SegmentMemory, { validFrom, evidence }: Candidate, turns: readonly Turn[]): number {
  const stated = latestTurn(evidence, turns)?.at ?? validFrom
  return when !== null && ONE_DAY.test(when) ? validFrom : Math.max(stated, validFrom)
}

/** Longest event; longer ones are states that can end. */
const LONGEST_HAPPENING_MS = 36 * 3_600_000

/**
 * Resolves the validity of a statement. Events have no end. A statement that replaces a memory is valid from now on,
 * also when it says that something ended.
 */
function timesHeld(
  memory: SegmentMemory & { readonly type: MemoryType },
  turn: Turn | undefined,
  dates: DateReader,
): { validFrom: number; validUntil: number | null } {
  const { validFrom, validUntil: answered } = timesOf(memory, turn)
  const validUntil = answered ?? endInWords(memory.text, turn, dates)
  // An end that lies ahead is known beforehand: “until Friday”.
  if (validUntil === null || validUntil > (turn?.at ?? 0)) return { validFrom, validUntil }
  if (memory.changes.length > 0)
    return { validFrom: Math.min(validUntil, turn?.at ?? validUntil), validUntil: null }
  const isMoment = memory.type === 'event' && validUntil - validFrom <= LONGEST_HAPPENING_MS
  return { validFrom, validUntil: isMoment ? null : validUntil }
}

/** One clause: an end that is named in it is that of the whole statement. */
const ONE_CLAUSE = /^[^,;:，；：。]{1,120}[.。]?$/u

/** Reads the end that a statement names. A model words one that lies ahead, and seldom answers it as a date. */
function endInWords(text: string, turn: Turn | undefined, dates: DateReader): number | null {
  if (turn === undefined || !ONE_CLAUSE.test(text)) return null
  return dates.readEnd(simplifyChinese(text), turn, /\p{Script=Han}/u.test(text) ? 'zh' : 'en')
}

/** Removes the key from a second current value of a single-value key in one answer, so that both stay. */
function withOwnKey(
  candidate: Candidate,
  before: readonly Candidate[],
  { table, at }: { readonly table: KeyTable; readonly at: number },
): Candidate {
  const { subject, key } = candidate
  const merge = table.get(key ?? '')?.merge
  if ((merge !== 'replace' && merge !== 'trajectory') || isOver(candidate, at)) return candidate
  const isTaken = before.some((one) => one.subject === subject && one.key === key && !isOver(one, at))
  return isTaken ? { ...candidate, key: null, value: null } : candidate
}

/** Minimum share of a memory's words in its replacement. */
const LEAST_KEPT = 0.25

/** Gives a replacement the memory's subject, unless they have nothing in common. */
function asKnown(candidate: Candidate, known: Memory | undefined): Candidate {
  if (known === undefined || candidate.subject === known.subject) return candidate
  const kept = new Set(findTerms(candidate.text))
  const terms = [...new Set(findTerms(known.text))]
  const isOfOneMatter = terms.filter((term) => kept.has(term)).length >= LEAST_KEPT * terms.length
  return isOfOneMatter ? { ...candidate, subject: known.subject } : candidate
}

function deletionsAsked(one: SegmentAnswer['forget'][number], turns: readonly Turn[]): ProposedOperation[] {
  const evidence = spokenByUser(evidenceOf([one], turns), turns)
  const at = turns.find(({ id }) => id === evidence?.turn)?.at
  if (evidence === undefined || at === undefined) return []
  return one.memories.map((index) => ({ kind: 'delete', index, why: 'asked', at, evidence: [evidence] }))
}

/** Returns the first evidence that a user really said; only users can request to forget. */
function spokenByUser(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence | undefined {
  return evidence.find(({ turn: id, quote }) => {
    const turn = turns.find((one) => one.id === id)
    return turn?.role === 'user' && (quote === null || turn.text.includes(quote))
  })
}

function forgetRequest(one: SegmentAnswer['forget'][number], turns: readonly Turn[]): Request[] {
  const evidence = spokenByUser(evidenceOf([one], turns), turns)
  if (evidence === undefined) return []
  const about = one.about?.trim() ?? ''
  return [{ kind: 'forget', about: about === '' ? null : about, evidence }]
}

function summaryOf(answer: SegmentAnswer, turns: readonly Turn[]): NonNullable<Extraction['summary']> | null {
  const text = answer.summary.trim()
  if (text === '') return null
  return { text, evidence: turns.map((turn) => ({ turn: turn.id, quote: null })) }
}
