// Weighs the best results by what they state: a search sees which words a text holds, not whether its sentences answer.
import {
  asksChange,
  asksNow,
  cosine,
  holdsAnswer,
  readLeadingProperty,
  readWantedAnswer,
  readWantedName,
  simplifyChinese,
  statesName,
  tellsProperty,
} from '@keepsake/text'
import { scoreOf, withPart } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { turnsOf } from '../work/read-memories.ts'
import type { FoundMemory } from './found-memory.ts'

/** Results that are looked at. */
export const LOOKED_AT = 32

/**
 * What a result gains or loses, beside the parts of the search: fitted on everyday talk, one set left out at a time, and rounded. `later`
 * goes by the order of time among the results, `meaning` by the cosine of the nearest sentence.
 */
const WEIGHTS = { kind: 0.2, property: 0.5, name: 0.3, meaning: 1, later: 1 } as const

/** What the user, or else the agent, says in a memory, and what was said before it. */
interface Stated {
  readonly text: string
  readonly before: string
  readonly meanings: readonly Float32Array[]
}

/**
 * Reorders the best results by their sentences: whether they state the kind of thing, the property or the name that is asked for, how near
 * the nearest of them comes in meaning, and, where a question asks how something is now, which was said later.
 *
 * @param asked the question with pronouns in place of the names of user and agent
 */
export function weighAnswers(
  { wordVectors }: Pick<Engine, 'wordVectors'>,
  state: UserState,
  asked: string,
  found: readonly FoundMemory[],
): readonly FoundMemory[] {
  const question = simplifyChinese(asked)
  const answer = readWantedAnswer(question)
  const property = readLeadingProperty(question)
  const name = readWantedName(question)
  const meant = wordVectors.embedNow(question)
  const prefersLater = asksNow(question) && !asksChange(question)
  const looked = found.slice(0, LOOKED_AT)
  const times = prefersLater ? looked.map(({ memory }) => memory.validFrom).sort((a, b) => a - b) : []
  const signed = (isSo: boolean): number => (isSo ? 1 : -1)
  const weighed = looked.map((hit): FoundMemory => {
    const { text, before, meanings } = statedIn(wordVectors, state, hit)
    let [states, near] = [0, 0]
    if (answer.kinds.length > 0) states += WEIGHTS.kind * signed(holdsAnswer(answer, text))
    if (property !== null) states += WEIGHTS.property * signed(tellsProperty(property, text))
    if (name !== null) states += WEIGHTS.name * signed(statesName(name, text, { isFirst: false, before }))
    for (const meaning of meanings) near = Math.max(near, cosine(meant, meaning))
    const later = prefersLater ? times.indexOf(hit.memory.validFrom) / Math.max(1, looked.length - 1) : 0
    const gains = { states, sentence: WEIGHTS.meaning * near, later: WEIGHTS.later * later }
    return { ...hit, ...scoreOf({ ...hit.parts, ...gains }) }
  })
  // What was not looked at stays behind.
  const least = Math.min(...weighed.map(({ score }) => score))
  const rest = found
    .slice(LOOKED_AT)
    .map((hit) => (hit.score > least ? withPart(hit, 'states', least - hit.score) : hit))
  return [...weighed.sort((a, b) => b.score - a.score), ...rest]
}

function statedIn(wordVectors: Engine['wordVectors'], state: UserState, { memory }: FoundMemory): Stated {
  const turns = memory.form === 'utterance' ? turnsOf(memory).flatMap((id) => state.turns.get(id) ?? []) : []
  const own = turns.filter(({ role }) => role !== 'assistant')
  const before = turns.filter(({ role }) => role === 'assistant').map(({ text }) => text)
  const texts =
    memory.form !== 'utterance'
      ? [state.texts.of(memory.text)]
      : (own.length > 0 ? own : turns).map(({ id, text }) => state.texts.of(text, id))
  const sentences = texts.flatMap(({ statements }) => statements.map(({ text }) => text))
  const meanings = texts.flatMap((text) => text.meaningsBy((words) => wordVectors.embedNow(words)))
  return { text: sentences.join(' '), before: before.join(' '), meanings }
}
