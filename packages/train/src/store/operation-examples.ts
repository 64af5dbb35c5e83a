import type { Memory, Turn } from 'keepsake'
import { operationsReader } from '@keepsake/papers'
import { questionOf } from '../examples/ask-engine.ts'
import { type Voucher, makeExample, type CheckedExample } from '../examples/example.ts'
import {
  changesStatement,
  lastTurnOf,
  vouchedBy,
  type ExtractedFact,
  type ExtractedFacts,
} from './extracted-facts.ts'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'
import type { Statement } from './verdicts.ts'

/** A list up to this length is shown whole. Of a longer one, the changed and the newest memories are shown. */
const MAX_SHOWN = 60

/** Turns before a round that the engine shows as context. */
const TURNS_BEFORE = 4

interface AnswerOperation {
  readonly type: 'add' | 'modify' | 'delete'
  readonly index: number | null
  readonly content: string | null
  readonly why: 'asked' | 'no-longer-so' | null
  readonly turn: number
  readonly quote: string
}

/** Examples for preset mmm: what each round changes in the list, also nothing. A user's correction becomes the answer. */
export async function operationExamples(
  life: Life,
  { extracted, factsBefore }: ExtractedFacts,
): Promise<CheckedExample[]> {
  const examples: (CheckedExample | null)[] = []
  const sequenceAfter = nextByPosition(extracted)
  for (const { id, number } of life.sessions) {
    const ofSession = extracted.filter((one) => lastTurnOf(one)?.session === id)
    if (ofSession.length === 0) continue
    // An operation whose round is unknown may be of any round: then no round can be said to need none.
    const isUnclear = extracted.some(
      (one) =>
        one.operation.sessionNumber === number && lastTurnOf(one) === undefined && changesStatement(one),
    )
    for (const round of roundsIn(talkOf(life, id))) {
      const ids = new Set(round.map((turn) => turn.id))
      const ofRound = ofSession.filter((one) => ids.has(lastTurnOf(one)?.id ?? ''))
      if (isUnclear && ofRound.length === 0) continue
      const sequence = ofRound[0]?.operation.sequence ?? sequenceAfter(round.at(-1)?.position ?? 0)
      const by = ofRound.length > 0 ? vouchedBy(ofRound) : readBy(ofSession)
      examples.push(await exampleOf(life, { round, extracted: ofRound, facts: factsBefore(sequence), by }))
    }
  }
  return examples.flatMap((one) => one ?? [])
}

/** Who read a session, and so vouches that a round needs no operation. */
function readBy(ofSession: readonly ExtractedFact[]): Voucher {
  return ofSession.some(({ operation }) => operation.origin.model === null) ? 'rules' : 'model'
}

/** Finds the first operation that was extracted after a position: the facts before it are those known at that position. */
function nextByPosition(extracted: readonly ExtractedFact[]): (position: number) => number {
  const placed = extracted
    .flatMap((one) => {
      const turn = lastTurnOf(one)
      return turn === undefined ? [] : [{ position: turn.position, sequence: one.operation.sequence }]
    })
    .sort((one, other) => one.position - other.position)
  return (position) => placed.find((one) => one.position > position)?.sequence ?? Number.POSITIVE_INFINITY
}

interface RoundOfTalk {
  readonly round: readonly Turn[]
  readonly extracted: readonly ExtractedFact[]
  readonly facts: readonly Memory[]
  readonly by: Voucher
}

async function exampleOf(
  life: Life,
  { round, extracted, facts, by }: RoundOfTalk,
): Promise<CheckedExample | null> {
  if (round.every(({ role }) => role !== 'user')) return null
  const shown = shownOf(facts, extracted)
  const context = turnsBefore(life, round)
  const question = await questionOf((ask) =>
    operationsReader().extract(segmentOf(life, round, context), {
      ask,
      related: shown,
      leftOut: facts.length - shown.length,
    }),
  )
  if (question === null) return null
  const answerOperations = (pick: (one: ExtractedFact) => Statement | null | undefined): AnswerOperation[] =>
    extracted.flatMap((one) => answerOperationOf(one, pick(one), { round, shown }))
  const operations = answerOperations(({ verdict }) => verdict?.right)
  return makeExample('operations', question, {
    answer: { operations },
    worse: extracted.some(({ verdict }) => verdict?.byPerson)
      ? { operations: answerOperations(({ verdict }) => verdict?.before) }
      : null,
    by,
    isEmpty: operations.length === 0,
    basis: { turns: [...context, ...round].map(({ id }) => id), memories: shown.map(({ id }) => id) },
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
function shownOf(facts: readonly Memory[], extracted: readonly ExtractedFact[]): Memory[] {
  if (facts.length <= MAX_SHOWN) return [...facts]
  const touched = new Set(extracted.map(({ operation }) => operation.memory))
  const others = facts.filter(({ id }) => !touched.has(id))
  const room = Math.max(0, MAX_SHOWN - (facts.length - others.length))
  const kept = new Set(others.slice(others.length - room))
  return facts.filter((fact) => touched.has(fact.id) || kept.has(fact))
}

function answerOperationOf(
  extracted: ExtractedFact,
  statement: Statement | null | undefined,
  { round, shown }: { readonly round: readonly Turn[]; readonly shown: readonly Memory[] },
): AnswerOperation[] {
  const { before, fact, operation } = extracted
  const cited = extracted.evidence.findLast(({ turn }) => round.some(({ id }) => id === turn.id))
  if (cited === undefined) return []
  const place = shown.findIndex(({ id }) => id === fact.id)
  const where = {
    turn: round.findIndex(({ id }) => id === cited.turn.id) + 1,
    quote: quoteOf(cited),
  }
  if (statement === null || statement === undefined) return []
  const index = place + 1
  const content = statement.text
  if (operation.payload?.after.text === undefined)
    return place === -1 ? [] : [{ type: 'delete', index, content: null, why: 'no-longer-so', ...where }]
  if (before === null || place === -1) return [{ type: 'add', index: null, content, why: null, ...where }]
  return content === before.text ? [] : [{ type: 'modify', index, content, why: null, ...where }]
}

/** The quoted words; the whole turn where it is not a quotation. */
function quoteOf({ turn, quote }: ExtractedFact['evidence'][number]): string {
  return quote !== null && turn.text.includes(quote) ? quote : turn.text
}
