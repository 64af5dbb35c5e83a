import type { Extractor, Segment } from '../extraction/extractor.ts'
import { refuseDeletion } from '../extraction/grounding/refuse-deletion.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import { decideOperations } from './decide-operations.ts'
import { ASKED_TO_FORGET, deleteMemory } from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import type { ProposedOperation, RejectedOperation } from '../memories/proposed-operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import type { GroundedExtraction, GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import { applyDecisions, quarantine } from './merge-facts.ts'
import { originOf } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { readTurns } from '../work/read-memories.ts'

/** Drops what somebody asked to drop, with the words that asked for it, so that neither comes back through the other. */
function dropAsked(
  changes: ChangeSet,
  cache: OwnerCache,
  id: string,
  asked: ProposedOperation | undefined,
  why: Parameters<typeof deleteMemory>[2],
): void {
  const memory = changes.read(id)
  if (memory?.status !== 'live') return
  deleteMemory(changes, memory, why, (turn) => cache.memoriesOfTurn(turn))
  for (const { turn } of asked?.kind === 'delete' ? asked.evidence : []) {
    const utterance = cache.utteranceOf(turn)
    if (utterance !== undefined && changes.read(utterance.id)?.status === 'live')
      deleteMemory(changes, utterance, why, (one) => cache.memoriesOfTurn(one))
  }
}

/** Deletions whose evidence does not bear them out are refused; what is not believed is quarantined. */
async function separate(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  operations: readonly GroundedOperation[],
  related: readonly Memory[],
): Promise<{ sound: GroundedOperation[]; refused: RejectedOperation[]; doubted: GroundedOperation[] }> {
  const sound: GroundedOperation[] = []
  const refused: RejectedOperation[] = []
  const doubted: GroundedOperation[] = []
  const said = await readTurns(
    engine,
    row.owner,
    related.flatMap((memory) => memory.evidence.map((evidence) => evidence.turn)),
  )
  for (const one of operations) {
    const { operation } = one
    const target = operation.kind === 'delete' ? related[operation.index - 1] : undefined
    const refusal =
      operation.kind === 'delete' && target !== undefined && engine.preset.grounding !== 'off'
        ? refuseDeletion(operation, target, segment.turns, said)
        : null
    if (refusal !== null) refused.push({ operation, reason: refusal })
    else if (one.reason !== null) doubted.push(one)
    else sound.push(one)
  }
  return { sound, refused, doubted }
}

/**
 * Has the rule engine decide on what a model proposed, and carries its decisions out (MMM).
 *
 * @param related the memories the model was shown, in the order of their numbers
 * @returns what was not let through, to be told once the rest is durable
 */
export async function applyOperations(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  changes: ChangeSet,
  segment: Segment,
  grounded: GroundedExtraction,
  related: readonly Memory[],
  extractor: Extractor,
): Promise<readonly RejectedOperation[]> {
  if (grounded.operations.length === 0) return []
  const origin = originOf(engine, extractor.id, extractor.prompt)
  const { sound, refused, doubted } = await separate(engine, row, segment, grounded.operations, related)
  for (const { operation, label, reason } of doubted)
    if (operation.kind !== 'delete')
      quarantine(changes, segment, { candidate: operation.candidate, label, reason }, origin)
  // Read again: in between somebody may have changed what the model was shown.
  const shown = related.map((memory) => changes.read(memory.id) ?? memory)
  const proposed = sound.map((one) => one.operation)
  const turnAt = new Map(segment.turns.map((turn) => [turn.id, turn.at]))
  const { decisions, rejected } = decideOperations(proposed, shown, ({ evidence }) =>
    Math.max(...evidence.map((one) => turnAt.get(one.turn) ?? Number.NEGATIVE_INFINITY)),
  )
  const labels = new Map(
    sound.flatMap(({ operation, label }) =>
      operation.kind === 'delete' ? [] : [[operation.candidate, label] as const],
    ),
  )
  const deletions = proposed.filter((operation) => operation.kind === 'delete' && operation.why === 'asked')
  applyDecisions(changes, segment, decisions, labels, origin, (id) => {
    const asked = deletions.find(
      (operation) => operation.kind === 'delete' && shown[operation.index - 1]?.id === id,
    )
    dropAsked(changes, cache, id, asked, { reason: ASKED_TO_FORGET, origin })
  })
  // Where something was to be dropped, what the same answer says of it is not kept by another door.
  for (const { operation, reason } of decisions.some(({ kind }) => kind === 'delete') ? [] : rejected)
    if (operation.kind !== 'delete' && operation.candidate.text.trim() !== '')
      quarantine(changes, segment, { candidate: operation.candidate, label: 'other', reason }, origin)
  return [...refused, ...rejected]
}
