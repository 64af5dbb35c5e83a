// Selects the turns that summaries and extractions may use, without what was forgotten.
import { namesOfUsers } from '../extraction/rules/find-addressee.ts'
import { hearRequests } from '../extraction/rules/hear-requests.ts'
import { ASKED_TO_FORGET, WITHHELD, withUtteranceWords } from '../memories/delete-memory.ts'
import { PENDING_FORGET_ALL } from '../memories/kept-request.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { ScopeView } from './scope-view.ts'

/** Checks whether a turn was forgotten, on request or by the application. Nothing new may be made from it. */
export function isForgotten(state: UserState, turn: Pick<Turn, 'id'>): boolean {
  if (state.utteranceOf(turn.id) !== undefined) return false
  return [...state.memoriesOfTurn(turn.id)].some(
    (memory) =>
      memory.status === 'deleted' && (memory.form === 'utterance' || memory.reason === ASKED_TO_FORGET),
  )
}

/** Checks whether a turn is only withheld. Extraction still reads it, to understand what was asked. */
export function isWithheld(state: UserState, turn: Pick<Turn, 'id'>): boolean {
  return [...state.memoriesOfTurn(turn.id)].some(
    ({ form, status, reason }) => form === 'utterance' && status === 'deleted' && reason === WITHHELD,
  )
}

/** Returns the turns that were not forgotten, with the words that their utterances keep. */
export function usableTurns(state: UserState, turns: readonly Turn[]): Turn[] {
  return turns
    .filter((turn) => !isForgotten(state, turn))
    .map((turn) => withUtteranceWords(turn, state.utteranceOf(turn.id)))
}

/** Returns the turns of a session that have a live utterance. Without utterances, returns those not forgotten, and no requests to forget. */
export function usableTurnsOfSession({ engine, row, state }: ScopeView, session: string): readonly Turn[] {
  const turns = state.turnsOfSession(row.scope, session)
  const keepsUtterances = engine.preset.branches.some((branch) => branch.kind === 'utterances')
  if (keepsUtterances)
    return turns.flatMap((turn) => {
      const utterance = state.utteranceOf(turn.id)
      return utterance === undefined ? [] : [withUtteranceWords(turn, utterance)]
    })
  const forgotten = lastForgottenPosition(state, row.scope)
  const requests = hearRequests(turns, engine.rules, namesOfUsers(state))
  const requestTurns = new Set(requests.map(({ evidence }) => evidence.turn))
  const later = turns.filter(({ position }) => position > forgotten)
  return later.filter(
    (turn, i) => !isForgotten(state, turn) && !isPartOfRequest(turn, later[i - 1], requestTurns),
  )
}

/** Returns the position of the last confirmed request to forget everything; 0 without one. */
function lastForgottenPosition(state: UserState, scope: number): number {
  const confirmed = [...state.listMemories({ scopes: new Set([scope]), statuses: ['deleted'] })].filter(
    ({ origin, reason }) => origin.step === PENDING_FORGET_ALL && reason === ASKED_TO_FORGET,
  )
  const turns = confirmed.flatMap(({ evidence }) =>
    evidence.map(({ turn }) => state.turns.get(turn)?.position ?? 0),
  )
  return Math.max(0, ...turns)
}

/** Checks whether a turn asks to forget something or replies to such a request. Both mention what was forgotten. */
function isPartOfRequest(turn: Turn, before: Turn | undefined, requestTurns: ReadonlySet<string>): boolean {
  const isReply = turn.role === 'assistant' && before !== undefined && requestTurns.has(before.id)
  return requestTurns.has(turn.id) || isReply
}

/** Maximum length of the earlier summaries that are given as context. */
const MAX_SUMMARY_CHARACTERS = 2_000

/** Returns the latest summaries of other sessions that fit, the newest last. */
export function earlierSummaries(view: ScopeView, session: string | null): string {
  const summaryTexts: string[] = []
  let length = 0
  const summaries = view.state.memoriesOf(view.row.scope, 'summary')
  for (let index = summaries.length - 1; index >= 0 && length <= MAX_SUMMARY_CHARACTERS; index -= 1) {
    const memory = summaries[index]
    if (memory?.status !== 'live' || memory.session === session) continue
    summaryTexts.unshift(memory.text)
    length += memory.text.length + 1
  }
  return summaryTexts.join('\n').slice(-MAX_SUMMARY_CHARACTERS)
}
