import type { Memory, Turn } from 'keepsake'
import { operationsReader } from '@keepsake/papers'
import { questionOf } from '../examples/ask-engine.ts'
import type { Voucher } from '../examples/example.ts'
import { answered, type Answered } from '../examples/answered.ts'
import { lastTurnOf, saysSomething, vouchedBy, type Drawn, type DrawnLife } from './drawn.ts'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'
import type { Said } from './verdicts.ts'

/** Most memories shown whole; of more, those that are touched and the newest. */
const MOST_SHOWN = 60

/** Turns before a round that the engine shows as context. */
const TURNS_BEFORE = 4

interface Code {
  readonly type: 'add' | 'modify' | 'delete'
  readonly index: number | null
  readonly content: string | null
  readonly why: 'asked' | 'no-longer-so' | null
  readonly turn: number
  readonly quote: string
}

/**
 * MMM's examples: what a round does to the list of memories (section 2.1), a round an example, including rounds without an operation.
 * Corrections stand in the answer, the corrected text in the rejected one.
 */
export async function operationExamples(life: Life, { drawn, factsBefore }: DrawnLife): Promise<Answered[]> {
  const examples: (Answered | null)[] = []
  const sequenceAfter = nextByPosition(drawn)
  for (const { id, number } of life.sessions) {
    const ofSession = drawn.filter((one) => lastTurnOf(one)?.session === id)
    if (ofSession.length === 0) continue
    // With unknown rounds, none can be said to need no operation.
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

/** The reader of a session, who vouches that a round needs no operation. */
function readBy(ofSession: readonly Drawn[]): Voucher {
  return ofSession.some(({ operation }) => operation.origin.model === null) ? 'rules' : 'model'
}

/** The first operation extracted after a position, before which the known facts are those of that position. */
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

/** The preceding turns, as the engine shows them. */
function turnsBefore(life: Life, [first]: readonly Turn[]): Turn[] {
  if (first === undefined) return []
  const { position, session } = first
  return life.turns.filter(
    (turn) =>
      turn.session === session && turn.position < position && turn.position >= position - TURNS_BEFORE,
  )
}

/** The known facts in the order they were learned; of many, those that are touched and the newest. */
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
  const cited = drawn.evidence.findLast(({ turn }) => round.some(({ id }) => id === turn.id))
  if (cited === undefined) return []
  const place = shown.findIndex(({ id }) => id === fact.id)
  const where = {
    turn: round.findIndex(({ id }) => id === cited.turn.id) + 1,
    quote: quoteOf(cited),
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

/** The quoted words; the whole turn where it is not a quotation. */
function quoteOf({ turn, quote }: Drawn['evidence'][number]): string {
  return quote !== null && turn.text.includes(quote) ? quote : turn.text
}
