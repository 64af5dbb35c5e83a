// Adds later readings of a measure that a question asks for: “101.5!!! lowest in ten years” after “I weigh 108 kg”.
import { asksSeveral, readWantedAnswer } from '@keepsake/text'
import { withPart } from '../retrieval/recall-types.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { FoundAnswer, FoundMemory } from './found-memory.ts'
import { listTurnChoices, resultsInOrder } from './overview.ts'
import type { RecallRequest } from './query.ts'

const UNIT =
  'kg|kilos?|lbs?|pounds?|stone|cm|km|k|miles?|min(?:ute)?s?|bpm|mmol|mg|%|points?|out of \\d+|公?斤|千克|分钟?|公里'
/** Matches a number with its unit or, where a message gives it alone, what may follow it: “101.5!!!”, “105.2 this week”. */
const READING = new RegExp(
  String.raw`(?<![\d.,:/£$€¥\p{Script=Latin}])(?<value>\d{1,3}(?:\.\d+)?)(?: ?(?<unit>${UNIT})(?![\p{Script=Latin}\d])|(?=\s*(?:$|[.,!！，。~]\s*(?!\d)|\p{Extended_Pictographic}|(?:this|today|now|again)\b)))`,
  'giu',
)
/** Questions for a measure that name no number: “list all my weigh-ins”, 列出我每次的体重. */
const ASKS_MEASURE = /\bweigh\p{L}*|\bscores?\b|\breadings?\b|体重|多重|成绩|血压|血糖/iu
/** Maximum characters of a message that gives a reading alone. */
const MAX_READING_LENGTH = 60
/** Two readings of one measure differ by no more than this factor. Chosen, not measured. */
const MAX_CHANGE = 1.4
const MAX_READINGS = 8
/** Number of results that may state the measure first. */
const MAX_FIRST = 3
/** Score of a reading, as a share of the best. */
const SHARE = 0.9

interface Reading {
  readonly value: number
  readonly unit: string | null
}

function readingsIn(text: string): Reading[] {
  return [...text.matchAll(READING)].map(({ groups }) => ({
    value: Number(groups?.['value']),
    unit: groups?.['unit']?.toLowerCase() ?? null,
  }))
}

/** Adds the user's short messages after a first result with a measure, if they give a near number in its unit or alone. */
export function withReadings(request: RecallRequest, state: UserState, answer: FoundAnswer): FoundAnswer {
  const { text } = request.query
  const asksNumber = readWantedAnswer(text).kinds.includes('count')
  if (!ASKS_MEASURE.test(text) && !(asksNumber && asksSeveral(text))) return answer
  const first = answer.memories.slice(0, MAX_FIRST).flatMap(({ memory }) =>
    memory.evidence.flatMap(({ turn: id }) => {
      const turn = state.turns.get(id)
      const measure =
        turn?.role === 'user' ? readingsIn(turn.text).find(({ unit }) => unit !== null) : undefined
      return turn === undefined || measure === undefined ? [] : [{ turn, measure }]
    }),
  )[0]
  if (first === undefined) return answer
  const { measure } = first
  const givesReading = ({ role, text: said, id }: Turn): boolean =>
    role === 'user' &&
    id !== first.turn.id &&
    said.length <= MAX_READING_LENGTH &&
    !/[?？]/u.test(said) &&
    readingsIn(said).some(
      ({ value, unit }) =>
        (unit === null || unit === measure.unit) &&
        (unit?.startsWith('out of') === true ||
          Math.max(value / measure.value, measure.value / value) <= MAX_CHANGE),
    )
  const turns = request.resolved.scopes.flatMap((scope) => state.turnsAfter(scope, -1))
  const choices = listTurnChoices(request, state, turns.filter(givesReading)).slice(-MAX_READINGS)
  const hits = new Map<string, FoundMemory>(
    resultsInOrder(choices).map((hit) => [hit.memory.id, { ...hit, score: 0, parts: {} }] as const),
  )
  for (const hit of answer.memories) if (hits.has(hit.memory.id)) hits.set(hit.memory.id, hit)
  const score = SHARE * (answer.memories[0]?.score ?? 0)
  const readings = [...hits.values()].map((hit) => withPart(hit, 'reading', Math.max(0, score - hit.score)))
  const rest = answer.memories.filter(({ memory }) => !hits.has(memory.id))
  return { ...answer, memories: [...rest, ...readings].sort((a, b) => b.score - a.score) }
}
