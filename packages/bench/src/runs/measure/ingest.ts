import type { DatasetSession, DatasetTurn } from '../../datasets/conversation.ts'
import type { Dialogue } from '../../systems/memory-system.ts'
import { measureOperation, applyGoldOperation, type GoldState } from './operations.ts'
import { attempt, entryOf, type Measuring } from './measuring.ts'

/** Passes a session to the system, whole or by rounds if data or protocol need it. Logs failures. Returns the milliseconds. */
export async function ingestSession(
  measuring: Measuring,
  session: DatasetSession,
  gold: GoldState,
): Promise<number> {
  const measuresOperations = session.operations !== undefined && measuring.tasks.has('operations')
  // LUFY recalls by what the user says before it is remembered.
  const recallsFirst = measuring.protocol === 'lufy'
  const dialogues = measuresOperations || recallsFirst ? splitIntoRounds(session) : [wholeSession(session)]
  let milliseconds = 0
  let failure: string | null = null
  for (const dialogue of dialogues) {
    const before = measuresOperations ? await measuring.memory.memories() : null
    if (recallsFirst) failure ??= (await attempt(() => recallAndReinforce(measuring, dialogue))).failure
    const added = await attempt(() => measuring.memory.addDialogue(dialogue))
    milliseconds += added.milliseconds
    failure ??= added.failure
    if (!measuresOperations) continue
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
  return milliseconds
}

/** Recalls by each user turn, as an application does before it replies. The recalled memories are reinforced. */
async function recallAndReinforce(
  { memory, memoriesWanted: limit, contextTokens: tokens }: Measuring,
  { turns }: Dialogue,
): Promise<void> {
  for (const { role, text, at } of turns)
    if (role === 'user') await memory.retrieve(text, { limit, asUsual: true, reinforce: true, at, tokens })
}

function wholeSession(session: DatasetSession): Dialogue {
  return { session: session.id, turns: session.turns, endsSession: true }
}

/** Splits a session before each user turn but the first. So turns of the agent that open a session belong to its first round. */
function splitIntoRounds(session: DatasetSession): Dialogue[] {
  const rounds: DatasetTurn[][] = []
  for (const turn of session.turns) {
    const round = rounds.at(-1)
    const hasUserTurn = round?.some(({ role }) => role === 'user') === true
    if (round === undefined || (turn.role === 'user' && hasUserTurn)) rounds.push([turn])
    else round.push(turn)
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
