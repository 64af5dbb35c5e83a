import { ModelError } from '../errors/model-error.ts'
import { chooseMemos } from '../retrieval/choose-memos.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { Engine } from '../work/engine.ts'
import type { AskedQuestion, FoundMemory } from './rank-memories.ts'
import { withTexts } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'

/**
 * Puts the first of what was found in order anew where a model is there to do it: a reranking model by its score, or
 * the language model by picking (MemoChat). A model that fails costs the better order, never the recall.
 */
export async function rankByModel(
  engine: Engine,
  resolved: ResolvedScope,
  asked: AskedQuestion,
  found: readonly FoundMemory[],
  abortSignal: AbortSignal | undefined,
): Promise<readonly FoundMemory[]> {
  const { ranking } = engine.preset
  try {
    if (ranking.kind === 'hybrid' && ranking.rerank !== undefined && engine.reranking !== null)
      return await rerank(engine, resolved, asked.text, found, ranking.rerank, abortSignal)
    if (ranking.kind === 'chosen' && engine.language !== null)
      return await choose(engine, resolved, asked, found, ranking.from, abortSignal)
    return found
  } catch (error) {
    abortSignal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    engine.events.emit('background-failed', { error })
    return found
  }
}

async function textsOf(
  engine: Engine,
  resolved: ResolvedScope,
  found: readonly FoundMemory[],
): Promise<string[]> {
  const memories = await withTexts(
    engine,
    resolved.owner,
    found.map((one) => one.memory),
  )
  return memories.map((memory) => memory.text)
}

/** The reranked stand before the rest, in their new order; their scores go on from the best that there was. */
async function rerank(
  engine: Engine,
  resolved: ResolvedScope,
  question: string,
  found: readonly FoundMemory[],
  most: number,
  abortSignal: AbortSignal | undefined,
): Promise<FoundMemory[]> {
  const head = found.slice(0, most)
  if (engine.reranking === null || head.length < 2) return [...found]
  const texts = await textsOf(engine, resolved, head)
  const scores = await engine.reranking.rerank(
    question,
    texts,
    abortSignal === undefined ? {} : { abortSignal },
  )
  const lift = head[0]?.score ?? 0
  const best = Math.max(...scores)
  const worst = Math.min(...scores)
  const reranked = head.map((one, place): FoundMemory => {
    // From 0 to 1, so that nothing which was reranked falls behind what was not.
    const share = best === worst ? 1 : ((scores[place] ?? worst) - worst) / (best - worst)
    const reranked = lift + share - one.score
    return { ...one, score: lift + share, parts: { ...one.parts, reranked } }
  })
  reranked.sort((one, other) => other.score - one.score)
  return [...reranked, ...found.slice(most)]
}

/** Only what the model picked, in its order. */
async function choose(
  engine: Engine,
  resolved: ResolvedScope,
  asked: AskedQuestion,
  found: readonly FoundMemory[],
  from: number,
  abortSignal: AbortSignal | undefined,
): Promise<FoundMemory[]> {
  const [row] = resolved.rows
  const likely = found.slice(0, from)
  if (engine.language === null || row === undefined || likely.length === 0) return []
  const memos = await withTexts(
    engine,
    resolved.owner,
    likely.map((one) => one.memory),
  )
  const chosen = await chooseMemos(asked.text, memos, {
    ask: engine.language.for(eventScope(row)),
    now: asked.now,
    timeZone: asked.timeZone,
    ...(abortSignal === undefined ? {} : { abortSignal }),
  })
  return chosen.flatMap((memo) => likely.find((one) => one.memory.id === memo.id) ?? [])
}
