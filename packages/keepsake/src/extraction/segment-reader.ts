import type { Evidence } from '../memories/evidence.ts'
import type { ProposedOperation } from '../memories/proposed-operation.ts'
import type { KeyTable } from '../persona/key-table.ts'
import { segmentPrompt, type SegmentAnswer, type SegmentMemory } from '../prompts/segment.ts'
import type { Turn } from '../turns/turn.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import { BLANK } from '../memories/memory.ts'
import type { Extraction, Extractor, Request } from './extractor.ts'
import {
  evidenceOf,
  importanceOf,
  keyAndValue,
  keyNames,
  latestTurn,
  subjectOf,
  timesOf,
} from './answer-parts.ts'
import { readerAsking } from './read-by-model.ts'

export interface SegmentReaderOptions {
  /** The keys that facts may come under. Those for events are not shown: an event is its sentence. */
  readonly table: KeyTable
  /** How many known memories the model is shown. */
  readonly related?: number
}

/** As many known memories as a segment touches, with room; each costs some 25 tokens. */
const RELATED = 12

/**
 * Reads a segment by one question to a language model: what happened, new facts, operations on known ones, and
 * requests to forget. What the model labels a joke, a supposition, a line of a play or a quotation is not taken.
 *
 * @example
 * const { candidates, operations, summary } = await segmentReader({ table }).extract(segment, { ask, related })
 */
export function segmentReader({ table, related = RELATED }: SegmentReaderOptions): Extractor {
  return readerAsking(segmentPrompt, {
    id: 'segment',
    related,
    inputOf: ({ turns, before = [], related: memories, language }) => {
      const keys = keyNames(table, language, (key) => key.type !== 'event')
      return { turns, before, memories, keys }
    },
    read: (answer, { turns }) => toExtraction(answer, turns, table),
  })
}

function toExtraction(answer: SegmentAnswer, turns: readonly Turn[], table: KeyTable): Extraction {
  const candidates: Candidate[] = []
  const operations: ProposedOperation[] = []
  const requests: Request[] = answer.forget.flatMap((one) => forgetRequest(one, turns))
  for (const memory of answer.memories) {
    if (memory.modality !== 'fact') continue
    const isGoing = memory.op === 'end' || memory.op === 'delete'
    if (memory.text.trim() === '' && (!isGoing || memory.index === null)) continue
    const candidate = factOf(memory, turns, table)
    if (memory.op === 'add') candidates.push(candidate)
    else if (memory.index !== null) operations.push(operationOf(memory, memory.index, candidate))
    else if (memory.op === 'modify') candidates.push(candidate)
    else requests.push(...unnumberedRequest(memory.op, candidate, turns))
  }
  return { candidates, requests, operations, summary: summaryOf(answer, turns) }
}

function factOf(memory: SegmentMemory, turns: readonly Turn[], table: KeyTable): Candidate {
  const evidence = evidenceOf(memory.evidence, turns)
  return candidateOf({
    type: memory.type,
    subject: subjectOf(memory.subject, evidence, turns),
    text: memory.text.trim(),
    ...keyAndValue(memory, table),
    evidence,
    ...timesOf(memory, latestTurn(evidence, turns)),
    signals: { ...BLANK.signals, importance: importanceOf(memory.importance) },
  })
}

function operationOf(memory: SegmentMemory, index: number, candidate: Candidate): ProposedOperation {
  if (memory.op === 'modify') return { kind: 'modify', index, candidate }
  return {
    kind: 'delete',
    index,
    why: memory.op === 'delete' ? 'asked' : 'no-longer-so',
    at: candidate.validUntil ?? candidate.validFrom,
    evidence: candidate.evidence,
  }
}

/** A memory that ends, or is to be dropped, but is not numbered in the answer is found by matching words. */
function unnumberedRequest(op: SegmentMemory['op'], candidate: Candidate, turns: readonly Turn[]): Request[] {
  const evidence = spokenByUser(candidate.evidence, turns)
  const { text: about, key, value, validFrom, validUntil } = candidate
  if (evidence === undefined) return []
  if (op === 'delete') return [{ kind: 'forget', about, evidence }]
  return [{ kind: 'end', about, key, value, at: validUntil ?? validFrom, evidence }]
}

/**
 * The first that a user said. Requests are carried out as they are read: what an agent or a tool says of forgetting is
 * talk, and a quote that its turn does not hold asks for nothing.
 */
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
