import { estimateTokens, type Recall, type RecalledMemory, type ScopedMemory } from 'keepsake'
import { composeContext, type Preset } from 'keepsake/preset'
import { memoryText, saidAt, splitStatements } from './counted-memories.ts'
import type { Retrieved, RetrievedMemory, RetrieveOptions } from './memory-system.ts'

/** The maximum number of memories that one recall returns. */
const MAX_MEMORIES = 1_000

/** Recalls, and converts the result to the harness's form. */
export async function retrievedOf(
  scope: ScopedMemory,
  preset: Preset,
  query: string,
  { limit, asUsual = false, at, tokens, reinforce = false }: RetrieveOptions,
): Promise<Retrieved> {
  const ownLimit = asUsual ? {} : { limit: Math.min(MAX_MEMORIES, limit) }
  const recall = await scope.recall(query, { ...ownLimit, now: at, tokens, reinforce })
  const memories = recall.memories.map(retrievedMemory)
  const ranksMemories = preset.ranking.kind !== 'whole'
  return ranksMemories
    ? { memories, ...rankedParts(recall) }
    : { memories, turns: null, sessions: null, confidence: null, context: contextOfAll(recall, tokens) }
}

function retrievedMemory({ memory, evidence, score }: RecalledMemory): RetrievedMemory {
  const turns = [...evidence, ...memory.evidence].map(({ turn }) => turn)
  return { id: memory.id, text: memoryText(memory), turns: [...new Set(turns)], score, ...saidAt(memory) }
}

/** Converts the other parts of a recall, if the preset ranks. */
function rankedParts(recall: Recall): Omit<Retrieved, 'memories'> {
  return {
    turns: rankTurns(recall.memories),
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

/** Ranks the turns behind recalled memories. A turn has the best of the scores that its memories give it. */
function rankTurns(memories: readonly RecalledMemory[]): { id: string; score: number }[] {
  const bestScores = new Map<string, number>()
  for (const { turn, score } of memories.flatMap(scoredTurns)) {
    const scoreSoFar = bestScores.get(turn) ?? Number.NEGATIVE_INFINITY
    bestScores.set(turn, Math.max(scoreSoFar, score))
  }
  return [...bestScores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

/**
 * Lists the turns by which a memory was found, with their scores. If no turn has a score, the memory was found by its own text. Then its first
 * turn gets the memory's score.
 */
function scoredTurns({ score, evidence }: RecalledMemory): { turn: string; score: number }[] {
  const found = evidence.filter((one) => one.score !== 0)
  if (found.length > 0) return found
  return evidence.slice(0, 1).map(({ turn }) => ({ turn, score }))
}

/** Composes the context of a preset that does not rank: the portrait, then the turns that are not yet in it. */
function contextOfAll({ memories }: Recall, tokens: number): string {
  const portraits = memories.filter(({ memory }) => memory.form === 'portrait')
  const others = memories.filter(({ memory }) => memory.form !== 'portrait')
  const portrait = cutToTokens(portraits[0]?.memory.text ?? '', tokens)
  const tokensLeft = tokens - estimateTokens(`${portrait}\n`)
  const talk = tokensLeft > 0 ? composeContext(others, tokensLeft, estimateTokens).text : ''
  return [portrait, talk].filter((part) => part !== '').join('\n')
}

/** Cuts a text after the last sentence that fits the token budget. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const ends = splitStatements(text).map(({ end }) => end)
  const end = ends.findLast((one) => estimateTokens(text.slice(0, one)) <= tokens) ?? 0
  return text.slice(0, end)
}
