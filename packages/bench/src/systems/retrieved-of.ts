import { estimateTokens, type Recall, type RecalledMemory, type ScopedMemory } from 'keepsake'
import { composeContext, type Preset } from 'keepsake/preset'
import { memoryText, saidAt, splitStatements } from './counted-memories.ts'
import type { Retrieved, RetrieveOptions } from './memory-system.ts'

/** The maximum number of memories that one recall returns. */
const MAX_MEMORIES = 1_000

/** Recalls, and converts the result to the harness's form. */
export async function retrievedOf(
  scope: ScopedMemory,
  preset: Preset,
  query: string,
  { limit, asUsual = false, at, tokens, reinforce = false }: RetrieveOptions,
): Promise<Retrieved> {
  const recall = await scope.recall(query, {
    ...(asUsual ? {} : { limit: Math.min(MAX_MEMORIES, limit) }),
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
  // A preset without search does not rank turns, so none are returned.
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

/** The turns behind recalled memories by score. A memory found by its own words gives its score to its first turn. */
function expandToTurns(memories: readonly RecalledMemory[]): { id: string; score: number }[] {
  const scores = new Map<string, number>()
  for (const { score, evidence } of memories) {
    const found = evidence.filter((one) => one.score !== 0)
    const firstWithScore = evidence.slice(0, 1).map((one) => ({ ...one, score }))
    for (const one of found.length > 0 ? found : firstWithScore) {
      scores.set(one.turn, Math.max(scores.get(one.turn) ?? Number.NEGATIVE_INFINITY, one.score))
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

/** The context of a preset without search: the portrait, then the talk that is not yet in it. */
function wholeContext(recall: Recall, tokens: number): string {
  const portrait = recall.memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? ''
  const cutPortrait = cutToTokens(portrait, tokens)
  const others = recall.memories.filter(({ memory }) => memory.form !== 'portrait')
  const tokensLeft = tokens - estimateTokens(`${cutPortrait}\n`)
  const talk = tokensLeft > 0 ? composeContext(others, tokensLeft, estimateTokens).text : ''
  return [cutPortrait, talk].filter((part) => part !== '').join('\n')
}

/** Cuts a text after the last sentence that fits the token budget. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const ends = splitStatements(text).map(({ end }) => end)
  const end = ends.findLast((one) => estimateTokens(text.slice(0, one)) <= tokens) ?? 0
  return text.slice(0, end)
}
