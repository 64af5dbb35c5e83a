import type { Memory, Turn } from 'keepsake'
import { operationsReader } from 'keepsake/parts'
import { questionOf } from '../examples/ask-engine.ts'
import { answered, type Answered } from '../examples/answered.ts'
import { lastTurnOf, vouchedBy, type Drawn } from './drawn.ts'
import { roundsOf, segmentOf, talkOf, type Life } from './life.ts'
import type { Said } from './verdicts.ts'

/** So many memories are shown whole; of more, those that are touched and the newest. */
const MOST_SHOWN = 60

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
export async function operationExamples(life: Life, drawn: readonly Drawn[]): Promise<Answered[]> {
  const examples: (Answered | null)[] = []
  for (const { id } of life.sessions) {
    const rounds = roundsOf(talkOf(life, id))
    const ofSession = drawn.filter((one) => lastTurnOf(one)?.session === id)
    if (ofSession.length === 0) continue
    for (const [at, round] of rounds.entries()) {
      const ids = new Set(round.map((turn) => turn.id))
      const ofRound = ofSession.filter((one) => ids.has(lastTurnOf(one)?.id ?? ''))
      const earlier = ofSession.filter((one) => (lastTurnOf(one)?.position ?? 0) < (round[0]?.position ?? 0))
      const facts = ofRound[0]?.facts ?? earlier.at(-1)?.facts ?? []
      const before = rounds[at - 1] ?? []
      examples.push(await exampleOf(life, { round, before, drawn: ofRound, facts }))
    }
  }
  return examples.flatMap((one) => one ?? [])
}

interface RoundOfTalk {
  readonly round: readonly Turn[]
  readonly before: readonly Turn[]
  readonly drawn: readonly Drawn[]
  readonly facts: readonly Memory[]
}

async function exampleOf(life: Life, { round, before, drawn, facts }: RoundOfTalk): Promise<Answered | null> {
  if (round.every(({ role }) => role !== 'user')) return null
  const shown = shownOf(facts, drawn)
  const asked = await questionOf((ask) =>
    operationsReader().extract(segmentOf(life, round, before), { ask, related: shown }),
  )
  if (asked === null) return null
  const codes = (pick: (one: Drawn) => Said | null | undefined): Code[] =>
    drawn.flatMap((one) => codeOf(one, pick(one), { round, shown }))
  const operations = codes(({ verdict }) => verdict?.right)
  const before_ = codes(({ verdict }) => verdict?.before)
  return answered('operations', asked, {
    answer: { operations },
    worse: drawn.some(({ verdict }) => verdict?.byPerson) ? { operations: before_ } : null,
    by: drawn.length === 0 ? 'model' : vouchedBy(drawn),
    isEmpty: operations.length === 0,
    rests: { turns: [...before, ...round].map(({ id }) => id), memories: shown.map(({ id }) => id) },
  })
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
    quote: told.quote ?? told.turn.text,
  }
  const isOver =
    known?.validUntil === null && operation.payload?.after.text === undefined && fact.validUntil !== null
  if (isOver || (operation.kind === 'delete' && said === undefined))
    return place === -1
      ? []
      : [{ type: 'delete', index: place + 1, content: null, why: 'no-longer-so', ...where }]
  if (said === null || said === undefined) return []
  if (known === null || place === -1)
    return [{ type: 'add', index: null, content: said.text, why: null, ...where }]
  return said.text === known.text
    ? []
    : [{ type: 'modify', index: place + 1, content: said.text, why: null, ...where }]
}
