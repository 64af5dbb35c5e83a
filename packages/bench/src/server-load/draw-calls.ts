import { seededRandom } from '../metrics/seeded-random.ts'
import { questionGenerator, turnGenerator } from '../perf/generate.ts'

export type LoadCall =
  | { readonly kind: 'recall'; readonly question: string }
  | { readonly kind: 'remember'; readonly text: string }

/**
 * Calls at random, the same for the same seed: Zipf-worded questions, and turns of 5 to 25 such words.
 *
 * @param recallShare how many of all calls recall, from 0 to 1.
 */
export function callDrawer(seed: number, recallShare: number): () => LoadCall {
  const random = seededRandom(seed)
  const nextQuestion = questionGenerator(seed + 1)
  const nextTurn = turnGenerator(seed + 3)
  return () =>
    random() < recallShare
      ? { kind: 'recall', question: nextQuestion() }
      : { kind: 'remember', text: nextTurn().text }
}
