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

/** Maximum number of known facts that a question shows. Of a longer list it shows the changed facts and the newest ones. */
const MAX_SHOWN = 60

/** Turns before a round that the engine shows as context. */
const TURNS_BEFORE = 4

/** One operation of an answer, as the prompt asks for it. `index` is the number of the fact in the list. */
interface AnswerOperation {
  readonly type: 'add' | 'modify' | 'delete'
  readonly index: number | null
  readonly content: string | null
  readonly why: 'asked' | 'no-longer-so' | null
  readonly turn: number
  readonly quote: string
}

/**
 * Makes examples for the preset `mmm`: the operations by which a round changes the list of facts. A round may also change nothing.
 * If a user corrected an operation, the correction is the answer.
 */
export async function operationExamples(
  life: Life,
  { extracted, factsBefore }: ExtractedFacts,
): Promise<CheckedExample[]> {
  const examples: CheckedExample[] = []
  const findSequenceAfter = makeSequenceFinder(extracted)
  for (const { id, number } of life.sessions) {
    const ofSession = extracted.filter((fact) => lastTurnOf(fact)?.session === id)
    if (ofSession.length === 0) continue
    // An operation of unknown round may belong to any round, so no round of the session surely needs no operation.
    const hasUnknownRound = extracted.some(
      (fact) =>
        fact.operation.sessionNumber === number && lastTurnOf(fact) === undefined && changesStatement(fact),
    )
    for (const round of roundsIn(talkOf(life, id))) {
      const ids = new Set(round.map((turn) => turn.id))
      const ofRound = ofSession.filter((fact) => ids.has(lastTurnOf(fact)?.id ?? ''))
      if (hasUnknownRound && ofRound.length === 0) continue
      const sequence = ofRound[0]?.operation.sequence ?? findSequenceAfter(round.at(-1)?.position ?? 0)
      const by = ofRound.length > 0 ? vouchedBy(ofRound) : readerOf(ofSession)
      const facts = factsBefore(sequence)
      const example = await exampleOf(life, { round, extracted: ofRound, facts, by })
      if (example !== null) examples.push(example)
    }
  }
  return examples
}

/** Returns who extracted the facts of a session, and so vouches that a round needs no operation. */
function readerOf(ofSession: readonly ExtractedFact[]): Voucher {
  return ofSession.some(({ operation }) => operation.origin.model === null) ? 'rules' : 'model'
}

/**
 * Makes a function that finds the first operation extracted after a position of the talk. The facts before that operation are the ones
 * that were known at the position.
 */
function makeSequenceFinder(extracted: readonly ExtractedFact[]): (position: number) => number {
  const byPosition = extracted
    .flatMap((fact) => {
      const turn = lastTurnOf(fact)
      return turn === undefined ? [] : [{ position: turn.position, sequence: fact.operation.sequence }]
    })
    .sort((one, other) => one.position - other.position)
  return (position) => byPosition.find((fact) => fact.position > position)?.sequence ?? Infinity
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
  const answerOperations = (pick: (fact: ExtractedFact) => Statement | null | undefined): AnswerOperation[] =>
    extracted.flatMap((fact) => answerOperationOf(fact, pick(fact), { round, shown }))
  const operations = answerOperations(({ verdict }) => verdict?.right)
  const isCorrected = extracted.some(({ verdict }) => verdict?.byPerson)
  return makeExample('operations', question, {
    answer: { operations },
    worse: isCorrected ? { operations: answerOperations(({ verdict }) => verdict?.before) } : null,
    by,
    isEmpty: operations.length === 0,
    basis: { turns: [...context, ...round].map(({ id }) => id), memories: shown.map(({ id }) => id) },
  })
}

/** Returns the turns of the session before a round that the engine shows as context. */
function turnsBefore(life: Life, [first]: readonly Turn[]): Turn[] {
  if (first === undefined) return []
  const { position, session } = first
  return life.turns.filter(
    (turn) =>
      turn.session === session && turn.position < position && turn.position >= position - TURNS_BEFORE,
  )
}

/** Returns the facts that a question shows, in the order in which they were learned. */
function shownOf(facts: readonly Memory[], extracted: readonly ExtractedFact[]): Memory[] {
  if (facts.length <= MAX_SHOWN) return [...facts]
  const changed = new Set(extracted.map(({ operation }) => operation.memory))
  const others = facts.filter(({ id }) => !changed.has(id))
  const maxOthers = Math.max(0, MAX_SHOWN - (facts.length - others.length))
  const newestOthers = new Set(others.slice(others.length - maxOthers))
  return facts.filter((fact) => changed.has(fact.id) || newestOthers.has(fact))
}

/** Returns the operation that leads to a statement, or none if the statement is missing or needs no change. */
function answerOperationOf(
  extracted: ExtractedFact,
  statement: Statement | null | undefined,
  { round, shown }: { readonly round: readonly Turn[]; readonly shown: readonly Memory[] },
): AnswerOperation[] {
  const { before, fact, operation } = extracted
  const cited = extracted.evidence.findLast(({ turn }) => round.some(({ id }) => id === turn.id))
  if (cited === undefined) return []
  const index = shown.findIndex(({ id }) => id === fact.id) + 1
  const isShown = index > 0
  const citation = {
    turn: round.findIndex(({ id }) => id === cited.turn.id) + 1,
    quote: quoteOf(cited),
  }
  if (statement === null || statement === undefined) return []
  const content = statement.text
  const isEnd = operation.payload?.after.text === undefined
  if (isEnd)
    return isShown ? [{ type: 'delete', index, content: null, why: 'no-longer-so', ...citation }] : []
  if (before === null || !isShown) return [{ type: 'add', index: null, content, why: null, ...citation }]
  return content === before.text ? [] : [{ type: 'modify', index, content, why: null, ...citation }]
}

/** Returns the quoted words, or the whole turn if it does not contain the quote. */
function quoteOf({ turn, quote }: ExtractedFact['evidence'][number]): string {
  return quote !== null && turn.text.includes(quote) ? quote : turn.text
}
