// Makes extractors that ask a language model to read a segment.
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
import type { Extraction, Extractor, RelatedBudget, Request, Segment } from './extractor.ts'
import {
  evidenceOf,
  importanceOf,
  keyAndValue,
  keyNames,
  latestTurn,
  subjectOf,
  timesOf,
} from './answer-parts.ts'
import { requireModel } from '../models/ask-model.ts'
import { promptVersion, type Prompt, type PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'

/** A segment with the further input of its prompt. */
interface ShownSegment extends Segment {
  readonly language: PromptLanguage
  readonly related: readonly Memory[]
  /** Number of memories that are not shown. */
  readonly leftOut: number
}

interface ReaderOptions<Input, Answer> extends Pick<Extractor, 'id' | 'related' | 'tellsMatters'> {
  /** Checks whether the model is asked about these turns. When absent, it is asked if the user or the agent spoke. */
  readonly isAsked?: (turns: readonly Turn[]) => boolean
  /** Makes the input of the prompt. */
  readonly inputOf: (shown: ShownSegment) => Input
  /** Converts the model's answer to an extraction. */
  readonly read: (answer: Answer, shown: ShownSegment) => Partial<Extraction> | Promise<Partial<Extraction>>
}

/** Makes an extractor that asks the model once per segment. */
export function readerAsking<Input, Answer>(
  prompt: Prompt<Input, Answer>,
  {
    id,
    related,
    tellsMatters = false,
    isAsked = (turns) => turns.some(({ role, text }) => role !== 'other' && text.trim() !== ''),
    inputOf,
    read,
  }: ReaderOptions<Input, Answer>,
): Extractor {
  return {
    id,
    prompt: promptVersion(prompt),
    ...(related === undefined ? {} : { related }),
    tellsMatters,
    extract: async (segment, options) => {
      const ask = requireModel(options?.ask, id)
      const nothing: Extraction = { candidates: [], requests: [] }
      if (!isAsked(segment.turns)) return nothing
      const language = promptLanguage(segment.turns.map((turn) => turn.text))
      const shown = { ...segment, language, related: options?.related ?? [], leftOut: options?.leftOut ?? 0 }
      const answer = await ask.ask(prompt, inputOf(shown), { language, abortSignal: options?.abortSignal })
      return { ...nothing, ...(await read(answer, shown)) }
    },
  }
}

interface SegmentReaderOptions {
  readonly table: KeyTable
  /** The known memories that the model is shown. */
  readonly related?: RelatedBudget
}

/** Keys that the prompt does not list, to save tokens. The model may use them nevertheless. */
const UNNAMED_KEYS: ReadonlySet<string> = new Set(
  [
    'nickname gender nationality zodiac blood-type height form-of-address mood health-state current-activity identity',
    'background appearance weaknesses learning routines favourites skills fears possessions beliefs religion achievements',
    'contact-details wishes field-of-work relationship-with-agent relationship-change liked-people disliked-people supports',
    'opposes favourite-colour favourite-animal favourite-song favourite-film favourite-book favourite-sport favourite-place',
    'favourite-artist favourite-show favourite-author favourite-game favourite-team favourite-season favourite-subject',
    'favourite-flower',
  ].flatMap((ids) => ids.split(' ')),
)

/** Budget of known memories in the prompt. The model can only change memories that it is shown. */
const RELATED_BUDGET: RelatedBudget = { most: 48, tokens: 1_200 }

/**
 * Makes the extractor that reads a segment in one call. It returns events, facts, changes, requests to forget and a summary.
 * Statements that the model labels as a joke, a supposition, a play or a quotation are left out.
 *
 * @example
 * const { candidates, operations, summary } = await segmentReader({ table }).extract(segment, { ask, related })
 */
export function segmentReader({ table, related = RELATED_BUDGET }: SegmentReaderOptions): Extractor {
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

/** Returns the names of the keys that the prompt lists. */
export function namedKeys(table: KeyTable, language: PromptLanguage): string[] {
  return keyNames(table, language, (key) => key.type !== 'event' && !UNNAMED_KEYS.has(key.id))
}

/** The label for each attribution of the answer; `null` for words that were not meant. */
const LABELS: Readonly<Record<NonNullable<SegmentMemory['word']>, GroundingLabel | null>> = {
  user: 'user-stated',
  agreed: 'user-confirmed',
  agent: 'agent-stated',
  unmeant: null,
  unclear: 'other',
}

/** Converts an answer: a statement that changes a shown memory becomes an operation, the others become candidates. */
function toExtraction(
  answer: SegmentAnswer,
  { turns, related }: Pick<ShownSegment, 'turns' | 'related'>,
  { table, dates }: { readonly table: KeyTable; readonly dates: DateReader },
): Extraction {
  const candidates: Candidate[] = []
  const operations: ProposedOperation[] = []
  const labels = new Map<Candidate, GroundingLabel>()
  const changedIndexes = new Set<number>()
  for (const memory of [...answer.memories, ...answer.missed]) {
    const label = LABELS[memory.word ?? attributionOf(memory, turns)]
    if (label === null || memory.text.trim() === '') continue
    // Only the first statement may replace a memory. Unknown numbers are ignored.
    const changes = memory.changes.filter(
      (index) => related[index - 1] !== undefined && !changedIndexes.has(index),
    )
    for (const index of changes) changedIndexes.add(index)
    const [first, ...others] = changes
    const known = first === undefined ? undefined : related[first - 1]
    const fact = factOf(memory, turns, { table, dates })
    const withKey = withFreeKey(fact, [...labels.keys()], { table, at: turns.at(-1)?.at ?? 0 })
    const candidate = withSubjectOf(withKey, known)
    labels.set(candidate, label)
    if (first === undefined) {
      candidates.push(candidate)
      continue
    }
    operations.push({ kind: 'modify', index: first, candidate })
    operations.push(...expireOthers(candidate, endOf(memory, candidate, turns), others, related))
  }
  const requests = answer.forget.flatMap((request) => forgetRequest(request, turns))
  operations.push(...answer.forget.flatMap((request) => requestedDeletions(request, turns)))
  return { candidates, requests, operations, words: labels, summary: summaryOf(answer, turns) }
}

/** Checks for a statement about the agent whose subject the answer gives as the user. */
function isAboutAgent({ word, subject, text }: SegmentMemory): boolean {
  return (
    word === 'agent' && subject === 'user' && /^(?:the )?(?:agent|assistant)\b|^(?:助手|助理)/iu.test(text)
  )
}

/** Attributes a statement by its evidence, for answers without an attribution. Words of a user's turn are the user's. */
function attributionOf({ evidence }: SegmentMemory, turns: readonly Turn[]): 'user' | 'unclear' {
  return evidence.some(({ turn }) => turns[turn - 1]?.role === 'user') ? 'user' : 'unclear'
}

/** Maximum number of search words. The prompt asks for six. With a long list, a memory would be found by any question. */
const MAX_SEARCH_WORDS = 10

/** Makes a candidate of a memory that the model found in the turns. */
function factOf(
  memory: SegmentMemory,
  turns: readonly Turn[],
  { table, dates }: { readonly table: KeyTable; readonly dates: DateReader },
): Candidate {
  const evidence = evidenceOf(memory.evidence, turns)
  const key = memory.key === null ? undefined : findKey(table, memory.key)
  const type = memory.type ?? key?.type ?? 'event'
  return candidateOf({
    type,
    subject: subjectOf(isAboutAgent(memory) ? 'agent' : memory.subject, evidence, turns),
    text: memory.text.trim(),
    searchWords: memory.search
      .split(/[\s,;、，；]+/u)
      .slice(0, MAX_SEARCH_WORDS)
      .join(' ')
      .trim(),
    ...keyAndValue(memory, table),
    evidence,
    ...validityOf({ ...memory, type }, latestTurn(evidence, turns), dates),
    signals: { ...BLANK.signals, importance: importanceOf(memory.importance) },
  })
}

/** Expires the other memories that a statement makes untrue, if they have its subject. */
function expireOthers(
  successor: Candidate,
  ended: number,
  indexes: readonly number[],
  related: readonly Memory[],
): ProposedOperation[] {
  return indexes.flatMap((index): ProposedOperation[] => {
    const known = related[index - 1]
    if (known === undefined || withSubjectOf(successor, known).subject !== known.subject) return []
    // A cancelled plan may end before it starts. Then its start is its end.
    const at = Math.max(ended, known.validFrom)
    return [{ kind: 'delete', index, why: 'no-longer-so', at, evidence: successor.evidence, successor }]
  })
}

const ONE_DAY = /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/

/** Returns the end of the facts that a statement contradicts: the day that the statement names, else the time of its turn. */
function endOf({ when }: SegmentMemory, { validFrom, evidence }: Candidate, turns: readonly Turn[]): number {
  const stated = latestTurn(evidence, turns)?.at ?? validFrom
  return when !== null && ONE_DAY.test(when) ? validFrom : Math.max(stated, validFrom)
}

/** Maximum duration of an event, such as a party until the next day. Anything longer is a state, which can end. */
const MAX_EVENT_MS = 36 * 3_600_000

/**
 * Returns the period in which a statement is valid. Events have no end. A statement that replaces a memory has no end in the
 * past: "no longer works at Bosch" stays valid.
 */
function validityOf(
  memory: SegmentMemory & { readonly type: MemoryType },
  turn: Turn | undefined,
  dates: DateReader,
): { validFrom: number; validUntil: number | null } {
  const { validFrom, validUntil: answeredEnd } = timesOf(memory, turn)
  const validUntil = answeredEnd ?? endInWords(memory.text, turn, dates)
  // “Until Friday” is an end in the future, which stays.
  if (validUntil === null || validUntil > (turn?.at ?? 0)) return { validFrom, validUntil }
  if (memory.changes.length > 0)
    return { validFrom: Math.min(validUntil, turn?.at ?? validUntil), validUntil: null }
  const isMoment = memory.type === 'event' && validUntil - validFrom <= MAX_EVENT_MS
  return { validFrom, validUntil: isMoment ? null : validUntil }
}

/** Matches a statement of one clause. In longer statements, an end may belong to one clause only. */
const ONE_CLAUSE = /^[^,;:，；：。]{1,120}[.。]?$/u

/** Reads the end in the text of a statement, because models seldom answer a future end as a date. */
function endInWords(text: string, turn: Turn | undefined, dates: DateReader): number | null {
  if (turn === undefined || !ONE_CLAUSE.test(text)) return null
  return dates.readEnd(simplifyChinese(text), turn, /\p{Script=Han}/u.test(text) ? 'zh' : 'en')
}

/** Removes the key of a second current value under a single-value key. Otherwise it would supersede the first of this answer. */
function withFreeKey(
  candidate: Candidate,
  earlier: readonly Candidate[],
  { table, at }: { readonly table: KeyTable; readonly at: number },
): Candidate {
  const { subject, key } = candidate
  const merge = table.get(key ?? '')?.merge
  const hasSingleValue = merge === 'replace' || merge === 'trajectory'
  if (!hasSingleValue || isOver(candidate, at)) return candidate
  const isTaken = earlier.some(
    (other) => other.subject === subject && other.key === key && !isOver(other, at),
  )
  return isTaken ? { ...candidate, key: null, value: null } : candidate
}

/** Minimum share of a memory's words that a replacement with another subject must contain. Chosen, not measured. */
const MIN_SHARED_WORDS = 0.25

/** Gives a replacement the subject of the memory, unless they have hardly a word in common. */
function withSubjectOf(candidate: Candidate, known: Memory | undefined): Candidate {
  if (known === undefined || candidate.subject === known.subject) return candidate
  const knownTerms = new Set(findTerms(known.text))
  const shared = knownTerms.intersection(new Set(findTerms(candidate.text)))
  const isSameTopic = shared.size >= MIN_SHARED_WORDS * knownTerms.size
  return isSameTopic ? { ...candidate, subject: known.subject } : candidate
}

/** Returns the deletions of shown memories that the user asked for. */
function requestedDeletions(
  request: SegmentAnswer['forget'][number],
  turns: readonly Turn[],
): ProposedOperation[] {
  const evidence = findEvidenceOfUser(evidenceOf([request], turns), turns)
  const at = turns.find(({ id }) => id === evidence?.turn)?.at
  if (evidence === undefined || at === undefined) return []
  return request.memories.map((index) => ({ kind: 'delete', index, why: 'asked', at, evidence: [evidence] }))
}

/** Returns the first evidence with words of the user. Only users can request to forget. */
function findEvidenceOfUser(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence | undefined {
  return evidence.find(({ turn: id, quote }) => {
    const turn = turns.find((candidate) => candidate.id === id)
    return turn?.role === 'user' && (quote === null || turn.text.includes(quote))
  })
}

/** Returns the request to forget, if it has words of the user as evidence. */
function forgetRequest(request: SegmentAnswer['forget'][number], turns: readonly Turn[]): Request[] {
  const evidence = findEvidenceOfUser(evidenceOf([request], turns), turns)
  if (evidence === undefined) return []
  const about = request.about?.trim() ?? ''
  return [{ kind: 'forget', about: about === '' ? null : about, evidence }]
}

function summaryOf(answer: SegmentAnswer, turns: readonly Turn[]): NonNullable<Extraction['summary']> | null {
  const text = answer.summary.trim()
  if (text === '') return null
  return { text, evidence: turns.map((turn) => ({ turn: turn.id, quote: null })) }
}
