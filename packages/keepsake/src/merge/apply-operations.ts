// Applies the operations that a model returned (as in the paper MMM), as decide-operations.ts decides.
import { findTerms, maskUnspoken } from '@keepsake/text'
import { supportsForgetRequest } from '../extraction/grounding/find-wish.ts'
import type { GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { sureRequestsIn } from '../extraction/rules/hear-requests.ts'
import type { Candidate, ProposedOperation, RejectedOperation } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import { locateQuote } from '../memories/locate-quote.ts'
import type { Memory } from '../memories/memory.ts'
import { isToAssistant, type Turn } from '../turns/turn.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { applyDecisions, quarantineCandidate } from './apply-decisions.ts'
import { decideOperations } from './decide-operations.ts'
import type { ExtractedSegment } from './merge-facts.ts'

/** Decides by rules on a model's operations, and applies the decisions. @returns the rejected operations, to report them after the commit */
export async function applyOperations(
  unit: UnitOfWork,
  extracted: ExtractedSegment,
): Promise<readonly RejectedOperation[]> {
  const { segment, extractor, grounded, related } = extracted
  if (grounded.operations.length === 0) return []
  const origin = originOf(unit.engine, extractor.id, extractor.prompt)
  const quarantine = ({ operation, reason }: GroundedOperation): void => {
    if (operation.kind !== 'delete') quarantineCandidate(unit, { ...operation, reason }, segment, origin)
  }
  // Operations that the segment supports are accepted. The statements of the others are quarantined.
  const refused = await refuseDeletions(unit, extracted)
  const accepted: ProposedOperation[] = []
  for (const grounding of grounded.operations) {
    const { operation, reason } = grounding
    if (refused.some((refusal) => refusal.operation === operation)) continue
    if (reason === null) accepted.push(operation)
    else quarantine(grounding)
  }
  // Memories may have changed since the model was asked.
  const shown = related.map((memory) => unit.changes.read(memory.id) ?? memory)
  const timeOf = new Map(segment.turns.map((turn) => [turn.id, turn.at]))
  const statedAt = ({ evidence }: Candidate): number =>
    Math.max(...evidence.map(({ turn }) => timeOf.get(turn) ?? Number.NEGATIVE_INFINITY))
  const { decisions, rejected } = decideOperations(accepted, shown, statedAt, unit.engine.preset.over)
  applyDecisions(unit, decisions, segment, origin)
  // Other statements of the answer may repeat the deleted memory. Quarantine would store these words again.
  if (!decisions.some(({ kind }) => kind === 'delete'))
    for (const rejection of rejected)
      if (rejection.operation.kind !== 'delete' && rejection.operation.candidate.text.trim() !== '')
        quarantine(rejection)
  return [...refused, ...rejected]
}

/** Returns the deletions that the conversation does not support, with the reason. */
async function refuseDeletions(
  { engine, row }: UnitOfWork,
  { segment, grounded, related }: ExtractedSegment,
): Promise<RejectedOperation[]> {
  if (engine.preset.grounding === 'off') return []
  const turnsWithRequest = new Set(sureRequestsIn(segment, engine.rules).map(({ evidence }) => evidence.turn))
  const turnsOfMemories = await readTurns(engine, row.owner, related.flatMap(turnsOf))
  return grounded.operations.flatMap(({ operation }) => {
    const isReplaced = operation.kind === 'delete' && operation.successor !== undefined
    // The new statement of a replaced memory is grounded by itself.
    if (operation.kind !== 'delete' || isReplaced) return []
    const memory = related[operation.index - 1]
    if (memory === undefined) return []
    const reason = refuseDeletion(
      operation,
      memory,
      { turns: segment.turns, turnsWithRequest },
      turnsOfMemories,
    )
    return reason === null ? [] : [{ operation, reason }]
  })
}

/** Number of turns before a request in which its topic may be named. Chosen, not measured. */
const TURNS_BEFORE = 4

/**
 * Returns why the talk does not support a deletion; `null` if it does. The user must ask for the deletion or end the fact,
 * and the words must share a term with the memory.
 */
function refuseDeletion(
  deletion: Extract<ProposedOperation, { kind: 'delete' }>,
  memory: Memory,
  segment: { readonly turns: readonly Turn[]; readonly turnsWithRequest: ReadonlySet<string> },
  turnsOfMemory: ReadonlyMap<string, Turn>,
): string | null {
  const { turns, turnsWithRequest } = segment
  const userPlaces = deletion.evidence
    .map(({ turn: id, quote }) =>
      turns.findIndex((turn) => turn.id === id && (quote === null || locateQuote(turn.text, quote) !== null)),
    )
    .filter((place) => turns[place]?.role === 'user')
  if (userPlaces.length === 0) return 'no turn of the user asks for the deletion or bears it out'
  const isAsked = (source: Evidence): boolean =>
    turnsWithRequest.has(source.turn) || asksToForget(source, turns)
  if (deletion.why === 'asked' && !deletion.evidence.some(isAsked))
    return 'the words quoted for the deletion ask for nothing to be forgotten'
  const evidenceIds = new Set(memory.evidence.map((source) => source.turn))
  // The memory's text is not used, because every such text has words like "the user".
  const terms = new Set([
    ...findTerms(memory.value ?? ''),
    ...memory.evidence.flatMap(({ turn, quote }) => findTerms(quote ?? turnsOfMemory.get(turn)?.text ?? '')),
  ])
  const namesTarget = ({ id, role, text }: Turn): boolean =>
    evidenceIds.has(id) ||
    // Pasted and quoted text of a user is ignored.
    findTerms(role === 'user' ? maskUnspoken(text) : text).some((term) => terms.has(term))
  const isNamed = userPlaces.some((place) =>
    turns.slice(Math.max(0, place - TURNS_BEFORE), place + 1).some(namesTarget),
  )
  return isNamed
    ? null
    : 'neither the words that ask for the deletion nor those before them name what is to go'
}

/** Checks whether the quoted words are a wish to forget something. */
function asksToForget({ turn: id, quote }: Evidence, turns: readonly Turn[]): boolean {
  const turn = turns.find((turn) => turn.id === id)
  if (turn === undefined || !isToAssistant(turn)) return false
  return supportsForgetRequest(turn.text, quote === null ? null : locateQuote(turn.text, quote))
}
