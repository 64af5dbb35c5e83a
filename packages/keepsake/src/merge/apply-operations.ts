import { findTerms, maskUnspoken } from '@keepsake/text'
import { isAskedIn } from '../extraction/grounding/find-wish.ts'
import type { GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { Evidence } from '../memories/evidence.ts'
import { locateQuote } from '../memories/locate-quote.ts'
import type { Memory } from '../memories/memory.ts'
import type { ProposedOperation, RejectedOperation } from '../memories/candidate.ts'
import type { Turn } from '../turns/turn.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { carryOut, quarantine } from './carry-out.ts'
import { decideOperations } from './decide-operations.ts'
import type { ExtractedSegment } from './known-facts.ts'

type Deletion = Extract<ProposedOperation, { kind: 'delete' }>

/** The turns that a deletion was extracted from, and those with a request to forget. */
export interface TalkOfDeletion {
  readonly turns: readonly Turn[]
  readonly asking: ReadonlySet<string>
}

/** Turns before the request that may name its target. */
const TURNS_BEFORE = 4

/**
 * Returns why the conversation does not support a proposed deletion; `null` if it does. The user must ask for it or
 * say that the fact has ended, and the words before must share a term with the memory: pasted text names none.
 *
 * @param talk the segment of the deletion, and the turns with a request to forget
 * @param said the turns that the memory rests on, by id
 */
export function refuseDeletion(
  deletion: Deletion,
  memory: Memory,
  { turns, asking }: TalkOfDeletion,
  said: ReadonlyMap<string, Turn>,
): string | null {
  const places = deletion.evidence.map((source) =>
    turns.findIndex(
      (turn) =>
        turn.id === source.turn && (source.quote === null || locateQuote(turn.text, source.quote) !== null),
    ),
  )
  const ofUser = places.filter((i) => turns[i]?.role === 'user')
  if (ofUser.length === 0) return 'no turn of the user asks for the deletion or bears it out'
  if (
    deletion.why === 'asked' &&
    !deletion.evidence.some((source) => asking.has(source.turn) || isAskedBy(source, turns))
  )
    return 'the words quoted for the deletion ask for nothing to be forgotten'
  const evidenceIds = new Set(memory.evidence.map((source) => source.turn))
  const about = new Set([
    // Excludes the text, whose wording ("user") names nothing.
    ...findTerms(memory.value ?? ''),
    ...memory.evidence.flatMap(({ turn, quote }) => findTerms(quote ?? said.get(turn)?.text ?? '')),
  ])
  const isNamed = ofUser.some((index) =>
    turns
      .slice(Math.max(0, index - TURNS_BEFORE), index + 1)
      .some((turn) => evidenceIds.has(turn.id) || findTerms(spokenIn(turn)).some((term) => about.has(term))),
  )
  return isNamed
    ? null
    : 'neither the words that ask for the deletion nor those before them name what is to go'
}

const spokenIn = ({ role, text }: Turn): string => (role === 'user' ? maskUnspoken(text) : text)

function isAskedBy({ turn: id, quote }: Evidence, turns: readonly Turn[]): boolean {
  const turn = turns.find((turn) => turn.id === id)
  if (turn?.role !== 'user') return false
  return isAskedIn(turn.text, quote === null ? null : locateQuote(turn.text, quote))
}

/** Refuses deletions that their evidence does not support, and quarantines unsupported statements. */
async function separate({ engine, row }: UnitOfWork, { segment, grounded, related }: ExtractedSegment) {
  const sound: GroundedOperation[] = []
  const refused: RejectedOperation[] = []
  const doubted: GroundedOperation[] = []
  const asking = new Set(askedIn(segment, engine.rules).map(({ evidence }) => evidence.turn))
  const said = await readTurns(engine, row.owner, related.flatMap(turnsOf))
  for (const one of grounded.operations) {
    const { operation } = one
    // A successor was grounded by itself and need not name what it replaces.
    const isAlone = operation.kind === 'delete' && operation.successor === undefined
    const target = isAlone ? related[operation.index - 1] : undefined
    const refusal =
      isAlone && target !== undefined && engine.preset.grounding !== 'off'
        ? refuseDeletion(operation, target, { turns: segment.turns, asking }, said)
        : null
    if (refusal !== null) refused.push({ operation, reason: refusal })
    else if (one.reason !== null) doubted.push(one)
    else sound.push(one)
  }
  return { sound, refused, doubted }
}

/**
 * Decides on a model's proposed operations by rules, and applies the decisions (MMM).
 *
 * @returns the rejected operations, to be reported after the commit
 */
export async function applyOperations(
  unit: UnitOfWork,
  drawn: ExtractedSegment,
): Promise<readonly RejectedOperation[]> {
  const { segment, extractor, grounded, related } = drawn
  if (grounded.operations.length === 0) return []
  const origin = originOf(unit.engine, extractor.id, extractor.prompt)
  const { sound, refused, doubted } = await separate(unit, drawn)
  const keepDoubted = ({ operation, reason }: GroundedOperation): void => {
    if (operation.kind !== 'delete') quarantine(unit, { ...operation, reason }, segment, origin)
  }
  for (const operation of doubted) keepDoubted(operation)
  // Reads again, because a memory may have changed since the model saw it.
  const shown = related.map((memory) => unit.changes.read(memory.id) ?? memory)
  const turnAt = new Map(segment.turns.map((turn) => [turn.id, turn.at]))
  const { decisions, rejected } = decideOperations(
    sound.map(({ operation }) => operation),
    shown,
    ({ evidence }) =>
      Math.max(...evidence.map((source) => turnAt.get(source.turn) ?? Number.NEGATIVE_INFINITY)),
    unit.engine.preset.over,
  )
  carryOut(unit, decisions, segment, origin)
  // After a requested deletion, rejected statements of the same answer are not quarantined either.
  const isDropping = decisions.some(({ kind }) => kind === 'delete')
  for (const rejection of isDropping ? [] : rejected)
    if (rejection.operation.kind !== 'delete' && rejection.operation.candidate.text.trim() !== '')
      keepDoubted(rejection)
  return [...refused, ...rejected]
}
