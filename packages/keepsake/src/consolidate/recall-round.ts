// Recalls with the words of each round, for presets in which each round strengthens memories (as in the paper MOOM).
import { forgetWeak, judgeMemories } from '../forget/judge-memories.ts'
import { readRecallQuery } from '../read/query.ts'
import type { FoundMemory } from '../read/found-memory.ts'
import { rankMemories } from '../read/rank.ts'
import { competingForms, reinforceInto, listTouched } from '../read/reinforce.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { roundsOf } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { usableTurns } from '../work/usable-turns.ts'
import { settingOfTurn, viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { readUnread } from './read-unread.ts'

/** Name under which the progress of recalls is stored, so that no round is recalled twice. */
const PROGRESS = { kind: 'recall' }
/** Maximum number of turns that are read to find the end of a round. A longer round is cut. */
const MAX_TURNS = 256
/** Maximum characters of the query. Of a longer round, the last characters are used. */
const MAX_CHARACTERS = 2_000

/** A round whose words have not been recalled yet. */
interface NextRound {
  readonly from: number
  readonly to: number
  readonly turns: readonly Turn[]
  readonly revision: number
}

/** Returns the first complete round that was not recalled (an agent's turn and the user's answer); `null` without one. */
export async function nextRound(engine: Engine, row: ScopeRow): Promise<NextRound | null> {
  const unread = await readUnread(engine, row, PROGRESS, { limit: MAX_TURNS })
  const { revision, from, turns, isFull } = unread
  const [round] = roundsOf(turns, 'answer', { flush: isFull }).rounds
  const lastOfRound = round?.turns.at(-1)
  if (round !== undefined && lastOfRound !== undefined)
    return { from, to: lastOfRound.position, turns: round.turns, revision }
  const last = turns.at(-1)
  if (!isFull || last === undefined) return null
  // No turn of the batch belongs to a round. The recall of no words moves the progress behind them.
  return { from, to: last.position, turns: [], revision }
}

/** Returns the memories that a recall of the turns finds, best first. */
async function recallTurns(
  engine: Engine,
  row: ScopeRow,
  turns: readonly Turn[],
): Promise<readonly FoundMemory[]> {
  const { state } = await viewScope(engine, row)
  const readable = usableTurns(state, turns)
  const forms = competingForms(engine.preset)
  const last = readable.at(-1)
  if (last === undefined || forms.length === 0) return []
  const words = readable.map(({ text }) => text).join('\n')
  const { memories } = await rankMemories({
    engine,
    resolved: { owner: row.owner, rows: [row], scopes: [row.scope] },
    query: readRecallQuery(engine, words.slice(-MAX_CHARACTERS), { forms, now: last.at }),
    options: {},
  })
  return memories
}

/**
 * Recalls with the words of a round (MOOM, section 3.3). The first k memories are strengthened, the next k are weakened as
 * competitors, and the weakest of all are forgotten.
 */
export async function recallRound(engine: Engine, row: ScopeRow, round: NextRound): Promise<void> {
  const touched = listTouched(engine, await recallTurns(engine, row, round.turns))
  const { retention } = engine.preset
  const { from, to, revision } = round
  const progress = [{ branch: PROGRESS.kind, from, to }]
  const last = round.turns.at(-1)
  const setting = last === undefined ? null : settingOfTurn(await viewScope(engine, row), last)
  const at = setting === null ? {} : { at: { sessionNumber: setting.sessionNumber, round: setting.round } }
  await decideAndCommit(
    engine,
    row,
    async (unit) => {
      reinforceInto(unit, touched)
      if (retention.when === 'capacity') forgetWeak(unit, await judgeMemories(unit, unit.moment, retention))
    },
    { revision, progress, ...at },
  )
}
