import { ModelError } from '@keepsake/text'
import { chooseMemos } from '../retrieval/choose-memos.ts'
import { withPart } from '../retrieval/score.ts'
import { eventScope } from '../scopes/scope.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/**
 * Puts the first of what was found in order anew where a model is there to do it: a reranking model by its score, or
 * the language model by picking (MemoChat). A model that fails costs the better order, never the recall.
 */
export async function rankByModel(
  asking: Asking,
  found: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const { engine, options } = asking
  const { ranking } = engine.preset
  try {
    if (ranking.kind === 'hybrid') return await rerank(asking, found, ranking.rerank ?? 0)
    if (ranking.kind === 'chosen' && (engine.language?.modelOf('recall') ?? null) !== null)
      return await choose(asking, found.slice(0, ranking.from))
    return found
  } catch (error) {
    options.abortSignal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    engine.events.emit('background-failed', { error })
    return found
  }
}

/** The reranked stand before the rest, in their new order; their scores go on from the best that there was. */
async function rerank(
  { engine, asked, turns, options }: Asking,
  found: readonly FoundMemory[],
  most: number,
): Promise<readonly FoundMemory[]> {
  const head = found.slice(0, Math.min(most, engine.reranking?.most ?? most))
  // One alone has no order, but a model that gives probabilities says whether it answers.
  const fewest = engine.reranking?.isProbability === true ? 1 : 2
  if (engine.reranking === null || head.length < fewest) return found
  const memories = await turns.withTexts(head.map((one) => one.memory))
  const texts = memories.map((memory) => memory.text)
  const saidAt = memories.map((memory) => memory.validFrom)
  const scores = await engine.reranking.rerank(asked.text, texts, { ...options, saidAt, now: asked.now })
  const lift = head[0]?.score ?? 0
  const best = Math.max(...scores)
  const worst = Math.min(...scores)
  // From 0 to 1, so that nothing which was reranked falls behind what was not.
  const shares = scores.map((score) => (best === worst ? 1 : (score - worst) / (best - worst)))
  const ranked = head
    .map((one, place) => ({
      one: engine.reranking?.isProbability === true ? { ...one, relevance: scores[place] ?? 0 } : one,
      share: shares[place] ?? 0,
    }))
    .sort((left, right) => right.share - left.share)
    .map(({ one, share }) => withPart(one, 'reranked', lift + share - one.score))
  return [...ranked, ...found.slice(most)]
}

/** Only what the model picked, in its order. */
async function choose(
  { engine, resolved, asked, turns, options }: Asking,
  likely: readonly FoundMemory[],
): Promise<FoundMemory[]> {
  const [row] = resolved.rows
  const ask = row === undefined ? null : (engine.language?.for(eventScope(row), 'recall') ?? null)
  if (ask === null || likely.length === 0) return []
  const memos = await turns.withTexts(likely.map((one) => one.memory))
  const { now, timeZone } = asked
  const chosen = await chooseMemos(asked.text, memos, { ...options, ask, now, timeZone })
  return chosen.flatMap((memo) => likely.find((one) => one.memory.id === memo.id) ?? [])
}
