import { estimateTokens, type Recall, type RecalledMemory, type ScopedMemory } from 'keepsake'
import { composeContext, type Preset } from 'keepsake/preset'
import { memoryText, saidAt, splitStatements } from './counted-memories.ts'
import type { Retrieved, RetrieveOptions } from './memory-system.ts'

/** Most memories that one recall returns. */
const MOST_MEMORIES = 1_000

/** A recall's result in the harness's form. */
export async function retrievedOf(
  scope: ScopedMemory,
  preset: Preset,
  query: string,
  { limit, asUsual = false, at, tokens, reinforce = false }: RetrieveOptions,
): Promise<Retrieved> {
  const recall = await scope.recall(query, {
    ...(asUsual ? {} : { limit: Math.min(MOST_MEMORIES, limit) }),
    now: at,
    tokens,
    reinforce,
  })
  const memories = recall.memories.map(({ memory, evidence, score }) => ({
    id: memory.id,
    text: memoryText(memory),
    turns: [...new Set([...evidence, ...memory.evidence].map(({ turn }) => turn))],
    score,
    ...saidAt(memory),
  }))
  // Without a search no turn precedes another: a ranking would be chance.
  if (preset.ranking.kind === 'whole')
    return { memories, turns: null, sessions: null, confidence: null, context: wholeContext(recall, tokens) }
  return {
    memories,
    turns: expandToTurns(recall.memories),
    sessions: recall.sessions.map(({ session }) => session),
    confidence: recall.confidence,
    known: recall.known,
    profile: recall.profile.lines.map(({ text, evidence }) => ({
      text,
      turns: evidence.map(({ turn }) => turn),
    })),
    context: recall.context.text,
  }
}

/**
 * The turns behind recalled memories, by their own score. A memory whose turns were not found themselves (a fact found by its wording)
 * passes its score to its first turn.
 */
function expandToTurns(memories: readonly RecalledMemory[]): { id: string; score: number }[] {
  const scores = new Map<string, number>()
  for (const { score, evidence } of memories) {
    const found = evidence.filter((one) => one.score !== 0)
    const lent = evidence.slice(0, 1).map((one) => ({ ...one, score }))
    for (const one of found.length > 0 ? found : lent) {
      scores.set(one.turn, Math.max(scores.get(one.turn) ?? Number.NEGATIVE_INFINITY, one.score))
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

/** The context of a preset without search: the whole portrait, then the talk not yet in it. */
function wholeContext(recall: Recall, tokens: number): string {
  const portrait = recall.memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? ''
  const kept = cutToTokens(portrait, tokens)
  const others = recall.memories.filter(({ memory }) => memory.form !== 'portrait')
  const left = tokens - estimateTokens(`${kept}\n`)
  const talk = left > 0 ? composeContext(others, left, estimateTokens).text : ''
  return [kept, talk].filter((part) => part !== '').join('\n')
}

/** A text's first sentences within the budget. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const ends = splitStatements(text).map(({ end }) => end)
  const end = ends.findLast((one) => estimateTokens(text.slice(0, one)) <= tokens) ?? 0
  return text.slice(0, end)
}
