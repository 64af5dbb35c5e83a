import type { Candidate, Extraction, Segment } from '../extraction/candidate.ts'
import type { FactBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { roundsOf, type Round } from '../segmentation/rounds.ts'
import type { Turn } from '../turns/turn.ts'
import { applyRequests } from './apply-requests.ts'
import { commitChanges } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import { mergeFacts } from './merge-facts.ts'
import { momentOf, startChanges } from './moment.ts'
import type { OwnerCache } from './owner-cache.ts'
import { readUnread } from './read-unread.ts'

/** Rounds read at a time when the cadence allows any number: the extractor sees a few rounds of context. */
const ROUNDS_AT_A_TIME = 10
/** Some ten rounds with room for rounds of several turns. */
const TURNS_AT_A_TIME = 64

interface Window {
  readonly rounds: readonly Round[]
  /** Position up to which everything is read when these rounds are. */
  readonly to: number
}

/** How many rounds make a segment, and whether fewer will do. */
function cadenceOf(branch: FactBranch, isEnding: boolean): { most: number; least: number } {
  if (branch.every === 'session-end')
    return { most: ROUNDS_AT_A_TIME, least: isEnding ? 1 : Number.POSITIVE_INFINITY }
  const { rounds } = branch.every
  return { most: Math.max(rounds, ROUNDS_AT_A_TIME), least: isEnding ? 1 : rounds }
}

/** The next rounds to read, or `null` while there are too few. The end of a session reads what is left of it, and no further. */
function nextWindow(
  unread: readonly Turn[],
  branch: FactBranch,
  endingSession: string | null,
): Window | null {
  const lastOfEnding =
    endingSession === null ? -1 : unread.findLastIndex((turn) => turn.session === endingSession)
  const turns = lastOfEnding >= 0 ? unread.slice(0, lastOfEnding + 1) : unread
  // What stands before the ending session, of sessions nobody ended, is read on the way to it.
  const isOnTheWay = endingSession !== null && unread.length === TURNS_AT_A_TIME
  const isEnding = lastOfEnding >= 0 || isOnTheWay
  const isFull = turns.length === TURNS_AT_A_TIME
  const { rounds, waiting } = roundsOf(turns, 'answer', { flush: isEnding })
  const { most, least } = cadenceOf(branch, isEnding)
  const taken = rounds.slice(0, most)
  if (taken.length === 0) return isFull ? { rounds: [], to: turns.at(-1)?.position ?? 0 } : null
  if (least === Number.POSITIVE_INFINITY || (taken.length < least && !isFull)) return null
  const isAll = taken.length === rounds.length && waiting.length === 0
  const end = isAll ? turns.at(-1) : taken.at(-1)?.turns.at(-1)
  return { rounds: taken, to: end?.position ?? 0 }
}

async function segmentOf(engine: Engine, row: ScopeRow, cache: OwnerCache, window: Window): Promise<Segment> {
  const turns = window.rounds.flatMap((round) => round.turns)
  const last = turns.at(-1)
  const sessions = await engine.store.sessions(row.owner, [row.scope])
  const session = sessions.find((one) => one.id === last?.session)
  return {
    scope: row.scope,
    session: last?.session ?? '',
    sessionNumber: session?.number ?? 0,
    round: cache.roundAt(row.scope, last?.position ?? 0),
    turns,
  }
}

/** Decides over what the store holds now, and commits with how far the branch got. */
async function applyExtraction(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  extraction: Extraction,
  step: string,
  reach: { epoch: number; progress: readonly { branch: string; from: number; to: number }[] },
): Promise<void> {
  await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
    const cache = await engine.caches.get(row.owner)
    const moment = {
      ...(await momentOf(engine, row, cache)),
      sessionNumber: segment.sessionNumber,
      round: segment.round,
    }
    const changes = startChanges(engine, cache, moment)
    const changed = extraction.requests.flatMap((request): Candidate[] =>
      request.kind === 'change' ? [request.candidate] : [],
    )
    mergeFacts(engine, cache, changes, segment, [...extraction.candidates, ...changed], step)
    await applyRequests(engine, row, cache, changes, segment, extraction.requests, step)
    await commitChanges(engine, row, changes, reach)
  })
}

/** Draws facts and requests from the rounds that were not read yet, and merges them with what is known. */
export async function drawFacts(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  endingSession: string | null,
): Promise<boolean> {
  const { epoch, from, turns } = await readUnread(engine, row, branch, TURNS_AT_A_TIME)
  const window = nextWindow(turns, branch, endingSession)
  if (window === null) return false
  const segment = await segmentOf(engine, row, await engine.caches.get(row.owner), window)
  const extraction = await branch.extractor.extract(segment)
  await applyExtraction(engine, row, segment, extraction, branch.extractor.id, {
    epoch,
    progress: [{ branch: branch.kind, from, to: window.to }],
  })
  return true
}
