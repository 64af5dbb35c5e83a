import { refuseDeletion } from '../extraction/grounding/refuse-deletion.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { GroundedOperation } from '../extraction/grounding/grounded-extraction.ts'
import type { RejectedOperation } from '../memories/proposed-operation.ts'
import { TurnReader, turnsOf } from '../work/read-memories.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { carryOut, quarantine } from './carry-out.ts'
import { decideOperations } from './decide-operations.ts'
import type { Drawn } from './drawn.ts'

/** Refuses deletions that their evidence does not support, and quarantines unsupported statements. */
async function separate({ engine, row }: UnitOfWork, { segment, grounded, related }: Drawn) {
  const sound: GroundedOperation[] = []
  const refused: RejectedOperation[] = []
  const doubted: GroundedOperation[] = []
  const asking = new Set(askedIn(segment, engine.rules).map(({ evidence }) => evidence.turn))
  const said = await new TurnReader(engine, row.owner).read(related.flatMap(turnsOf))
  for (const one of grounded.operations) {
    const { operation } = one
    // What is so instead was grounded itself, and need not name what it ends.
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
 * Has the rule engine decide on what a model proposed, and carries its decisions out (MMM).
 *
 * @returns what was not let through, to be told once the rest is durable
 */
export async function applyOperations(unit: UnitOfWork, drawn: Drawn): Promise<readonly RejectedOperation[]> {
  const { segment, extractor, grounded, related } = drawn
  if (grounded.operations.length === 0) return []
  const origin = originOf(unit.engine, extractor.id, extractor.prompt)
  const { sound, refused, doubted } = await separate(unit, drawn)
  const keepDoubted = ({ operation, reason }: GroundedOperation): void => {
    if (operation.kind !== 'delete') quarantine(unit, { ...operation, reason }, segment, origin)
  }
  for (const one of doubted) keepDoubted(one)
  // Reads again, because a memory may have changed since the model saw it.
  const shown = related.map((memory) => unit.changes.read(memory.id) ?? memory)
  const turnAt = new Map(segment.turns.map((turn) => [turn.id, turn.at]))
  const { decisions, rejected } = decideOperations(
    sound.map((one) => one.operation),
    shown,
    ({ evidence }) => Math.max(...evidence.map((one) => turnAt.get(one.turn) ?? Number.NEGATIVE_INFINITY)),
    unit.engine.preset.over,
  )
  carryOut(unit, decisions, segment, origin)
  // Where something was to be dropped, what the same answer says of it is not kept by another door.
  const isDropping = decisions.some(({ kind }) => kind === 'delete')
  for (const one of isDropping ? [] : rejected)
    if (one.operation.kind !== 'delete' && one.operation.candidate.text.trim() !== '') keepDoubted(one)
  return [...refused, ...rejected]
}
