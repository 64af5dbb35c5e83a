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

/** A segment with what else the prompt shows. */
interface ShownSegment extends Segment {
  readonly language: PromptLanguage
  readonly related: readonly Memory[]
  /** Number of memories that are not shown. */
  readonly leftOut: number
}

interface ReaderOptions<Input, Answer> {
  readonly id: string
  readonly related?: Extractor['related']
  readonly tellsMatters?: boolean
  /** Whether the model is asked about these turns. When absent, it is asked if the user or the agent spoke. */
  readonly isAsked?: (turns: readonly Turn[]) => boolean
  readonly inputOf: (shown: ShownSegment) => Input
  readonly read: (answer: Answer, shown: ShownSegment) => Partial<Extraction> | Promise<Partial<Extraction>>
}

/** Makes an extractor that asks a model one prompt per segment. */
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
      const asking = { language, abortSignal: options?.abortSignal }
      const answer = await ask.ask(prompt, inputOf(shown), asking)
      return { ...nothing, ...(await read(answer, shown)) }
    },
  }
}

interface SegmentReaderOptions {
  readonly table: KeyTable
  /** The known memories that the model is shown. */
  readonly related?: RelatedBudget
}

/** Keys that the prompt does not name, to save tokens. The model may answer with them all the same. */
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

/** Budget of known memories. A memory that is not shown cannot be changed. */
const RELATED_BUDGET: RelatedBudget = { most: 48, tokens: 1_200 }

/**
 * Makes the extractor that reads a segment in one call: events, facts, changes, requests to forget and a summary. What the
 * model labels as a joke, a supposition, a play or a quotation is left out.
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

/** The label of each attribution; `null` for words that were not meant. */
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
    // A memory is replaced once. Further statements about it are added.
    const changes = memory.changes.filter((index) => related[index - 1] !== undefined && !taken.has(index))
    for (const index of changes) taken.add(index)
    const [first, ...others] = changes
    const known = first === undefined ? undefined : related[first - 1]
    const candidate = withSubjectOf(
      withFreeKey(factOf(memory, turns, { table, dates }), [...words.keys()], {
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
        ...expireOthers({ candidate, at }, others, related),
      )
    }
  }
  const requests = answer.forget.flatMap((one) => forgetRequest(one, turns))
  operations.push(...answer.forget.flatMap((one) => requestedDeletions(one, turns)))
  return { candidates, requests, operations, words, summary: summaryOf(answer, turns) }
}

/** Detects a statement about the agent under the wrong subject. */
function isAboutAgent({ word, subject, text }: SegmentMemory): boolean {
  return (
    word === 'agent' && subject === 'user' && /^(?:the )?(?:agent|assistant)\b|^(?:助手|助理)/iu.test(text)
  )
}

/** Attributes a statement by its evidence, if the model does not: the words of a user's turn are the user's. */
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
    subject: subjectOf(isAboutAgent(memory) ? 'agent' : memory.subject, evidence, turns),
    text: memory.text.trim(),
    ...keyAndValue(memory, table),
    evidence,
    ...validityOf({ ...memory, type }, latestTurn(evidence, turns), dates),
    signals: { ...BLANK.signals, importance: importanceOf(memory.importance) },
  })
}

/** Expires the further memories that a statement makes untrue, if they have its subject. */
function expireOthers(
  { candidate: successor, at: ended }: { readonly candidate: Candidate; readonly at: number },
  indexes: readonly number[],
  related: readonly Memory[],
): ProposedOperation[] {
  const { evidence } = successor
  return indexes.flatMap((index): ProposedOperation[] => {
    const known = related[index - 1]
    if (known === undefined || withSubjectOf(successor, known).subject !== known.subject) return []
    // A cancelled plan ends before its day.
    const at = Math.max(ended, known.validFrom)
    return [{ kind: 'delete', index, why: 'no-longer-so', at, evidence, successor }]
  })
}

const ONE_DAY = /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/

/** Returns when the facts that a statement contradicts ended: on the day that it names, else when it was made. */
function endOf({ when }: SegmentMemory, { validFrom, evidence }: Candidate, turns: readonly Turn[]): number {
  const stated = latestTurn(evidence, turns)?.at ?? validFrom
  return when !== null && ONE_DAY.test(when) ? validFrom : Math.max(stated, validFrom)
}

/** Maximum duration of an event. What lasts longer is a state, which can end. */
const MAX_EVENT_MS = 36 * 3_600_000

/**
 * Resolves from when to when a statement is valid. Events have no end. A statement that replaces a memory is valid from
 * now on, also if it says that something ended.
 */
function validityOf(
  memory: SegmentMemory & { readonly type: MemoryType },
  turn: Turn | undefined,
  dates: DateReader,
): { validFrom: number; validUntil: number | null } {
  const { validFrom, validUntil: answered } = timesOf(memory, turn)
  const validUntil = answered ?? endInWords(memory.text, turn, dates)
  // An end in the future is kept: “until Friday”.
  if (validUntil === null || validUntil > (turn?.at ?? 0)) return { validFrom, validUntil }
  if (memory.changes.length > 0)
    return { validFrom: Math.min(validUntil, turn?.at ?? validUntil), validUntil: null }
  const isMoment = memory.type === 'event' && validUntil - validFrom <= MAX_EVENT_MS
  return { validFrom, validUntil: isMoment ? null : validUntil }
}

/** Matches a statement of one clause, of which an end ends the whole statement. */
const ONE_CLAUSE = /^[^,;:，；：。]{1,120}[.。]?$/u

/** Reads the end that the text of a statement names, since models seldom answer a future end as a date. */
function endInWords(text: string, turn: Turn | undefined, dates: DateReader): number | null {
  if (turn === undefined || !ONE_CLAUSE.test(text)) return null
  return dates.readEnd(simplifyChinese(text), turn, /\p{Script=Han}/u.test(text) ? 'zh' : 'en')
}

/** Removes the key from a second current value of a single-value key in one answer, so that both values stay. */
function withFreeKey(
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

/** Minimum share of a memory's words that its replacement has, if their subjects differ. */
const MIN_KEPT_SHARE = 0.25

/** Gives a replacement the subject of the memory, unless they have hardly a word in common. */
function withSubjectOf(candidate: Candidate, known: Memory | undefined): Candidate {
  if (known === undefined || candidate.subject === known.subject) return candidate
  const kept = new Set(findTerms(candidate.text))
  const terms = [...new Set(findTerms(known.text))]
  const isSameTopic = terms.filter((term) => kept.has(term)).length >= MIN_KEPT_SHARE * terms.length
  return isSameTopic ? { ...candidate, subject: known.subject } : candidate
}

/** Returns the deletions of shown memories that the user asked for. */
function requestedDeletions(
  one: SegmentAnswer['forget'][number],
  turns: readonly Turn[],
): ProposedOperation[] {
  const evidence = spokenByUser(evidenceOf([one], turns), turns)
  const at = turns.find(({ id }) => id === evidence?.turn)?.at
  if (evidence === undefined || at === undefined) return []
  return one.memories.map((index) => ({ kind: 'delete', index, why: 'asked', at, evidence: [evidence] }))
}

/** Returns the first evidence with words of the user. Only users can request to forget. */
function spokenByUser(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence | undefined {
  return evidence.find(({ turn: id, quote }) => {
    const turn = turns.find((one) => one.id === id)
    return turn?.role === 'user' && (quote === null || turn.text.includes(quote))
  })
}

/** Returns the request to forget, if the user's words support it. */
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
