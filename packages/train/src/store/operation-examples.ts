import type { Memory, Turn } from 'keepsake'
import { operationsReader } from '@keepsake/papers'
import { questionOf } from '../examples/ask-engine.ts'
import type { Voucher } from '../examples/example.ts'
import { answered, type Answered } from '../examples/answered.ts'
import { lastTurnOf, saysSomething, vouchedBy, type Drawn, type DrawnLife } from './drawn.ts'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'
import type { Said } from './verdicts.ts'

/** So many memories are shown whole; of more, those that are touched and the newest. */
const MOST_SHOWN = 60

/** Turns before a round that the engine shows for context. */
const TURNS_BEFORE = 4

/** An operation code as the prompt asks for it. */
interface Code {
  readonly type: 'add' | 'modify' | 'delete'
  readonly index: number | null
  readonly content: string | null
  readonly why: 'asked' | 'no-longer-so' | null
  readonly turn: number
  readonly quote: string
}

/**
 * MMM: what a round of talk does to the list of memories (section 2.1), a round an example; also rounds that do nothing. What people
 * corrected stands in the answer, what they corrected it from in the rejected one.
 */
export async function operationExamples(life: Life, { drawn, factsBefore }: DrawnLife): Promise<Answered[]> {
  const examples: (Answered | null)[] = []
  const sequenceAfter = nextByPosition(drawn)
  for (const { id, number } of life.sessions) {
    const ofSession = drawn.filter((one) => lastTurnOf(one)?.session === id)
    if (ofSession.length === 0) continue
    // Where it is not known which round something was told in, none can be said to call for nothing.
    const isUnclear = drawn.some(
      (one) => one.operation.sessionNumber === number && lastTurnOf(one) === undefined && saysSomething(one),
    )
    for (const round of roundsIn(talkOf(life, id))) {
      const ids = new Set(round.map((turn) => turn.id))
      const ofRound = ofSession.filter((one) => ids.has(lastTurnOf(one)?.id ?? ''))
      if (isUnclear && ofRound.length === 0) continue
      const sequence = ofRound[0]?.operation.sequence ?? sequenceAfter(round.at(-1)?.position ?? 0)
      const by = ofRound.length > 0 ? vouchedBy(ofRound) : readBy(ofSession)
      examples.push(await exampleOf(life, { round, drawn: ofRound, facts: factsBefore(sequence), by }))
    }
  }
  return examples.flatMap((one) => one ?? [])
}

/** Who read a session, and so says of a round that it calls for nothing. */
function readBy(ofSession: readonly Drawn[]): Voucher {
  return ofSession.some(({ operation }) => operation.origin.model === null) ? 'rules' : 'model'
}

/** The first operation that was drawn from what came after a position; what was known before it was known there. */
function nextByPosition(drawn: readonly Drawn[]): (position: number) => number {
  const placed = drawn
    .flatMap((one) => {
      const turn = lastTurnOf(one)
      return turn === undefined ? [] : [{ position: turn.position, sequence: one.operation.sequence }]
    })
    .sort((one, other) => one.position - other.position)
  return (position) => placed.find((one) => one.position > position)?.sequence ?? Number.POSITIVE_INFINITY
}

interface RoundOfTalk {
  readonly round: readonly Turn[]
  readonly drawn: readonly Drawn[]
  readonly facts: readonly Memory[]
  readonly by: Voucher
}

async function exampleOf(life: Life, { round, drawn, facts, by }: RoundOfTalk): Promise<Answered | null> {
  if (round.every(({ role }) => role !== 'user')) return null
  const shown = shownOf(facts, drawn)
  const before = turnsBefore(life, round)
  const asked = await questionOf((ask) =>
    operationsReader().extract(segmentOf(life, round, before), {
      ask,
      related: shown,
      leftOut: facts.length - shown.length,
    }),
  )
  if (asked === null) return null
  const codes = (pick: (one: Drawn) => Said | null | undefined): Code[] =>
    drawn.flatMap((one) => codeOf(one, pick(one), { round, shown }))
  const operations = codes(({ verdict }) => verdict?.right)
  return answered('operations', asked, {
    answer: { operations },
    worse: drawn.some(({ verdict }) => verdict?.byPerson)
      ? { operations: codes(({ verdict }) => verdict?.before) }
      : null,
    by,
    isEmpty: operations.length === 0,
    rests: { turns: [...before, ...round].map(({ id }) => id), memories: shown.map(({ id }) => id) },
  })
}

/** The turns right before, as the engine shows them. */
function turnsBefore(life: Life, [first]: readonly Turn[]): Turn[] {
  if (first === undefined) return []
  const { position, session } = first
  return life.turns.filter(
    (turn) =>
      turn.session === session && turn.position < position && turn.position >= position - TURNS_BEFORE,
  )
}

/** What was there, in the order it was learned; where that is much, what is touched and the newest. */
function shownOf(facts: readonly Memory[], drawn: readonly Drawn[]): Memory[] {
  if (facts.length <= MOST_SHOWN) return [...facts]
  const touched = new Set(drawn.map(({ operation }) => operation.memory))
  const others = facts.filter(({ id }) => !touched.has(id))
  const room = Math.max(0, MOST_SHOWN - (facts.length - others.length))
  const kept = new Set(others.slice(others.length - room))
  return facts.filter((fact) => touched.has(fact.id) || kept.has(fact))
}

function codeOf(
  drawn: Drawn,
  said: Said | null | undefined,
  { round, shown }: { readonly round: readonly Turn[]; readonly shown: readonly Memory[] },
): Code[] {
  const { known, fact, operation } = drawn
  const told = drawn.told.findLast(({ turn }) => round.some(({ id }) => id === turn.id))
  if (told === undefined) return []
  const place = shown.findIndex(({ id }) => id === fact.id)
  const where = {
    turn: round.findIndex(({ id }) => id === told.turn.id) + 1,
    quote: quoteOf(told),
  }
  if (said === null || said === undefined) return []
  if (operation.payload?.after.text === undefined)
    return place === -1
      ? []
      : [{ type: 'delete', index: place + 1, content: null, why: 'no-longer-so', ...where }]
  if (known === null || place === -1)
    return [{ type: 'add', index: null, content: said.text, why: null, ...where }]
  return said.text === known.text
    ? []
    : [{ type: 'modify', index: place + 1, content: said.text, why: null, ...where }]
}

/** The words that tell it; the whole turn where they are not its own. */
function quoteOf({ turn, quote }: Drawn['told'][number]): string {
  return quote !== null && turn.text.includes(quote) ? quote : turn.text
}
