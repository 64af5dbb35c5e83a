import { endsInstruction, readInstruction, simplifyChinese, type StandingInstruction } from '@keepsake/text'
import type { Segment } from '../extraction/extractor.ts'
import { hearAllRequests, isInPassage, sentencesOf } from '../extraction/rules/hear-requests.ts'
import { candidateOf, memoryOf } from '../memories/candidate.ts'
import { INSTRUCTION } from '../memories/kept-request.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Highest importance, since it holds for every reply. */
const IMPORTANCE = 10

export function standingInstructions(state: UserState, scopes: readonly number[], now: number): Memory[] {
  const facts = scopes.flatMap((scope) => [...state.facts(scope).live()])
  return facts.filter((a) => holds(a, now)).sort((a, b) => a.validFrom - b.validFrom)
}

function holds(memory: Memory, time: number): boolean {
  return memory.origin.step === INSTRUCTION && memory.status === 'live' && !isOver(memory, time)
}

/** Keeps the instructions of a segment's own words as memories, and ends those that the user takes back. */
export function keepInstructions(unit: UnitOfWork, segment: Segment): void {
  for (const turn of segment.turns) {
    if (turn.role !== 'user') continue
    const sentences = sentencesOf(turn)
    const isDropped = unit.changes.memories.some(
      ({ status, evidence }) => status === 'deleted' && evidence.some((source) => source.turn === turn.id),
    )
    const requests = isDropped ? hearAllRequests([turn], unit.engine.rules) : []
    const asked = new Set(requests.map(({ evidence }) => evidence.quote))
    for (const [index, { text, quote }] of sentences.entries()) {
      const read = asked.has(quote) ? null : readInstruction(text)
      if (read === null || isInPassage(sentences, index)) continue
      const hasEnded = endEarlier(unit, turn, read) && read.ends !== null
      if (!hasEnded && read.isStanding) keep(unit, segment, turn, quote.trim())
    }
  }
}

/** Ends the instructions that another one, or a withdrawal, contradicts or replaces. @returns whether there was one */
function endEarlier(
  { engine, row, state, changes }: UnitOfWork,
  turn: Turn,
  newer: StandingInstruction,
): boolean {
  const known = [...standingInstructions(state, [row.scope], turn.at), ...changes.memories]
  const meant = known.filter((memory) => {
    const current = changes.read(memory.id)
    const older = readInstruction(simplifyChinese(wordsOf(memory)))
    const isLive = current !== undefined && holds(current, turn.at)
    return isLive && older !== null && endsInstruction(newer, older)
  })
  for (const { id, evidence } of meant) {
    const change = { validUntil: turn.at, evidence: [...evidence, { turn: turn.id, quote: null }] }
    changes.change('modify', id, change, originOf(engine, INSTRUCTION))
  }
  return meant.length > 0
}

function wordsOf({ value, text }: Memory): string {
  return value ?? text
}

function keep(
  { engine, row, state, changes }: UnitOfWork,
  segment: Segment,
  turn: Turn,
  words: string,
): void {
  const text = /\p{Script=Han}/u.test(words) ? `用户要求：${words}` : `The user asked: ${words}`
  const known = [...standingInstructions(state, [row.scope], turn.at), ...changes.memories]
  const isKept = ({ id, text: kept }: Memory): boolean => {
    const now = changes.read(id)
    return kept === text && now !== undefined && !isOver(now, turn.at)
  }
  if (known.some(isKept)) return
  const { sessionNumber, round } = segment
  const candidate = candidateOf({
    type: 'persona',
    subject: whoSpeaks(turn),
    text,
    value: words,
    evidence: [{ turn: turn.id, quote: words }],
    validFrom: turn.at,
    signals: { arousal: null, surprise: null, importance: IMPORTANCE },
  })
  const setting = { session: turn.session, sessionNumber, round, learnedAt: turn.at }
  changes.add(memoryOf({ ...candidate, label: 'user-stated' }, setting), originOf(engine, INSTRUCTION))
}
