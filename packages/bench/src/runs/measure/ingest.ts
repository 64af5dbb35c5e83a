import type { DatasetSession, DatasetTurn } from '../../datasets/conversation.ts'
import type { Dialogue } from '../../systems/memory-system.ts'
import { measureOperation, applyGoldOperation, type GoldState } from './operations.ts'
import { attempt, entryOf, type Measuring } from './measuring.ts'

/**
 * Passes a session to the system: whole, or round by round where the data expects operations of each round. A failure is logged; later
 * sessions are still measured.
 *
 * @returns its milliseconds, and whether all of it succeeded
 */
export async function ingestSession(
  measuring: Measuring,
  session: DatasetSession,
  gold: GoldState,
): Promise<{ readonly milliseconds: number; readonly isWhole: boolean }> {
  const isByRound = session.operations !== undefined && measuring.tasks.has('operations')
  const isRecalledBy = measuring.protocol === 'lufy'
  const dialogues = isByRound || isRecalledBy ? roundsOf(session) : [whole(session)]
  let milliseconds = 0
  let failure: string | null = null
  for (const dialogue of dialogues) {
    const before = isByRound ? await measuring.memory.memories() : null
    if (isRecalledBy) failure ??= (await attempt(() => recallBy(measuring, dialogue))).failure
    const added = await attempt(() => measuring.memory.addDialogue(dialogue))
    milliseconds += added.milliseconds
    failure ??= added.failure
    if (!isByRound) continue
    for (const operation of operationsIn(session, dialogue)) {
      await measureOperation(measuring, {
        operation,
        before,
        added: added.value,
        gold,
        failure: added.failure,
      })
      applyGoldOperation(gold, operation)
    }
  }
  measuring.write({
    entry: 'ingestion',
    ...entryOf(measuring),
    session: session.id,
    turns: session.turns.length,
    milliseconds,
    failure,
  })
  return { milliseconds, isWhole: failure === null }
}

/** Recalls as an application does for its reply, with reinforcement. */
async function recallBy(
  { memory, memoriesWanted: limit, contextTokens: tokens }: Measuring,
  { turns }: Dialogue,
): Promise<void> {
  for (const { role, text, at } of turns)
    if (role === 'user') await memory.retrieve(text, { limit, asUsual: true, reinforce: true, at, tokens })
}

function whole(session: DatasetSession): Dialogue {
  return { session: session.id, turns: session.turns, endsSession: true }
}

/** Rounds: a user turn and everything up to the next one. */
function roundsOf(session: DatasetSession): Dialogue[] {
  const rounds: DatasetTurn[][] = []
  for (const turn of session.turns) {
    const open = rounds.at(-1)
    if (open === undefined || (turn.role === 'user' && open.some((one) => one.role === 'user')))
      rounds.push([turn])
    else open.push(turn)
  }
  return rounds.map((turns, index) => ({
    session: session.id,
    turns,
    endsSession: index === rounds.length - 1,
  }))
}

function operationsIn(session: DatasetSession, dialogue: Dialogue) {
  const ids = new Set(dialogue.turns.map((turn) => turn.id))
  return (session.operations ?? []).filter((operation) => ids.has(operation.turn))
}
