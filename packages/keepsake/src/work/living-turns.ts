import { hearRequests } from '../extraction/rules/hear-requests.ts'
import { ASKED_TO_FORGET, HELD_BACK } from '../memories/delete-memory.ts'
import { HELD_REQUEST } from '../memories/kept-request.ts'
import { asKept } from '../memories/kept-words.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { ScopeView } from './scope-view.ts'

/** Whether the talk asked to drop a turn, or the application did: nothing made later may tell it. */
export function isDropped(state: UserState, turn: Pick<Turn, 'id'>): boolean {
  if (state.utteranceOf(turn.id) !== undefined) return false
  return [...state.memoriesOfTurn(turn.id)].some(
    (memory) =>
      memory.status === 'deleted' && (memory.form === 'utterance' || memory.reason === ASKED_TO_FORGET),
  )
}

/** Whether a turn's words are only held back: readers of the talk still see them, to understand what was asked. */
export function isHeldBack(state: UserState, turn: Pick<Turn, 'id'>): boolean {
  return [...state.memoriesOfTurn(turn.id)].some(
    ({ form, status, reason }) => form === 'utterance' && status === 'deleted' && reason === HELD_BACK,
  )
}

/** Returns the turns that may be used: those whose words were not dropped, with the words that are kept. */
export function tellableTurns(state: UserState, turns: readonly Turn[]): Turn[] {
  return turns
    .filter((turn) => !isDropped(state, turn))
    .map((turn) => asKept(turn, state.utteranceOf(turn.id)))
}

/**
 * Returns a session's turns that may be used: those that a live memory keeps, or, where the preset keeps no
 * utterances, those of which nothing was asked to be dropped, without the requests themselves.
 */
export function livingTurns({ engine, row, state }: ScopeView, session: string): readonly Turn[] {
  const turns = state.turnsOfSession(row.scope, session)
  const keepsUtterances = engine.preset.branches.some((branch) => branch.kind === 'utterances')
  if (keepsUtterances)
    return turns.flatMap((turn) => {
      const utterance = state.utteranceOf(turn.id)
      return utterance === undefined ? [] : [asKept(turn, utterance)]
    })
  const forgotten = forgottenTo(state, row.scope)
  const askers = new Set(hearRequests(turns, engine.rules).map(({ evidence }) => evidence.turn))
  const left = turns.filter(({ position }) => position > forgotten)
  return left.filter((turn, i) => !isDropped(state, turn) && !isOfRequest(turn, left[i - 1], askers))
}

/** The turn up to which the user had everything forgotten, and confirmed it. */
function forgottenTo(state: UserState, scope: number): number {
  const confirmed = [...state.listMemories({ scopes: new Set([scope]), statuses: ['deleted'] })].filter(
    ({ origin, reason }) => origin.step === HELD_REQUEST && reason === ASKED_TO_FORGET,
  )
  const turns = confirmed.flatMap(({ evidence }) =>
    evidence.map(({ turn }) => state.turns.get(turn)?.position ?? 0),
  )
  return Math.max(0, ...turns)
}

/** A request to forget and the reply to it tell what nothing may tell any more. */
function isOfRequest(turn: Turn, before: Turn | undefined, requestTurns: ReadonlySet<string>): boolean {
  const isReply = turn.role === 'assistant' && before !== undefined && requestTurns.has(before.id)
  return requestTurns.has(turn.id) || isReply
}

/** As much of earlier summaries as is given for context. */
const CHARACTERS_BEFORE = 2_000

/** Summaries of other sessions, newest last, as far as they fit. */
export function toldBefore(view: ScopeView, session: string | null): string {
  const summaryTexts: string[] = []
  let length = 0
  const summaries = view.state.memoriesOf(view.row.scope, 'summary')
  for (let index = summaries.length - 1; index >= 0 && length <= CHARACTERS_BEFORE; index -= 1) {
    const memory = summaries[index]
    if (memory?.status !== 'live' || memory.session === session) continue
    summaryTexts.unshift(memory.text)
    length += memory.text.length + 1
  }
  return summaryTexts.join('\n').slice(-CHARACTERS_BEFORE)
}
