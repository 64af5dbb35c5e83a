import { readQuestionFor, searchEach } from '../retrieval/search-question.ts'
import type { Segment } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { Memory } from '../memories/memory.ts'
import { embedLately } from '../models/embed-lately.ts'
import type { RetrievalRecipe } from '@keepsake/search'
import { accepting, type Known } from './known-of-scope.ts'

/** Turns searched with: a segment has at most some thirty, and the latest matter most. */
const MOST_TURNS = 40

/** What each turn of a segment finds among the live facts, best first. */
export async function foundBy(
  { engine, state }: Known,
  segment: Segment,
  recipe: RetrievalRecipe,
  hits: number,
): Promise<Memory[][]> {
  const turns = segment.turns.slice(-MOST_TURNS)
  // What is asked to be forgotten by itself as well: the rest of its turn would find other things.
  const named = askedIn({ ...segment, turns }).flatMap(({ about, evidence }) => {
    const at = turns.find((turn) => turn.id === evidence.turn)?.at ?? 0
    return about === null ? [] : [{ text: about, at }]
  })
  const questions = [...named, ...turns].map(({ text, at }) =>
    readQuestionFor(state.index, text, { now: at }),
  )
  const vectors = await embedLately(
    engine.embedding,
    questions.map((read) => read.about),
  )
  const asked = questions.map((read, place) => ({ read, vector: vectors[place] ?? null }))
  const options = {
    ...accepting(state, segment.scope),
    limit: hits,
    now: segment.turns.at(-1)?.at ?? 0,
  }
  const facts = state.facts(segment.scope)
  return searchEach(state.index, asked, recipe, options).map((found) =>
    found.flatMap(({ id }) => facts.get(id) ?? []),
  )
}
