import type { Evidence } from '../../memories/evidence.ts'
import type { Memory } from '../../memories/memory.ts'
import type { ProposedOperation } from '../../memories/proposed-operation.ts'
import { findTerms } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import { locateQuote } from '../../memories/locate-quote.ts'
import { isAskedIn } from './find-wish.ts'

type Deletion = Extract<ProposedOperation, { kind: 'delete' }>

/** Where a deletion was drawn from. */
export interface TalkOfDeletion {
  readonly turns: readonly Turn[]
  readonly asking: ReadonlySet<string>
}

/** Turns before the words that ask, in which what is to be dropped may have been named. */
const TURNS_BEFORE = 4

/**
 * Why a deletion that a model proposed is not borne out by the talk; `null` when it is. The user's own words must
 * ask for it, or say that it is no longer so, and they, or what was said just before, must share something with the
 * memory: a text that somebody pasted ("delete everything") names none.
 *
 * @param talk the segment the deletion was drawn from, and the turns in which rules hear a request to forget
 * @param said the turns that the memory rests on, by id
 */
export function refuseDeletion(
  deletion: Deletion,
  memory: Memory,
  { turns, asking }: TalkOfDeletion,
  said: ReadonlyMap<string, Turn>,
): string | null {
  const places = deletion.evidence.map((one) =>
    turns.findIndex(
      (turn) => turn.id === one.turn && (one.quote === null || locateQuote(turn.text, one.quote) !== null),
    ),
  )
  const ofUser = places.filter((place) => turns[place]?.role === 'user')
  if (ofUser.length === 0) return 'no turn of the user asks for the deletion or bears it out'
  if (
    deletion.why === 'asked' &&
    !deletion.evidence.some((one) => asking.has(one.turn) || isAskedBy(one, turns))
  )
    return 'the words quoted for the deletion ask for nothing to be forgotten'
  const evidenceIds = new Set(memory.evidence.map((one) => one.turn))
  const about = new Set([
    // Not its text: words such as "user", which a statement is written with, name nothing.
    ...findTerms(memory.value ?? ''),
    ...memory.evidence.flatMap(({ turn, quote }) => findTerms(quote ?? said.get(turn)?.text ?? '')),
  ])
  const isNamed = ofUser.some((place) =>
    turns
      .slice(Math.max(0, place - TURNS_BEFORE), place + 1)
      .some((turn) => evidenceIds.has(turn.id) || findTerms(turn.text).some((term) => about.has(term))),
  )
  return isNamed
    ? null
    : 'neither the words that ask for the deletion nor those before them name what is to go'
}

function isAskedBy({ turn: id, quote }: Evidence, turns: readonly Turn[]): boolean {
  const turn = turns.find((one) => one.id === id)
  if (turn?.role !== 'user') return false
  return isAskedIn(turn.text, quote === null ? null : locateQuote(turn.text, quote))
}
