import {
  findPreset,
  openMemory,
  RETRIEVAL_PARTS,
  withoutParts,
  type Preset,
  type PresetName,
  type RecalledMemory,
  type RetrievalPart,
} from 'keepsake'
import type { RetrievalSystem } from './system.ts'

/** Most memories one recall returns. */
const MOST_MEMORIES = 1_000

export interface KeepsakeSystemOptions {
  readonly preset: PresetName
  /** Parts of the ranking to switch off. */
  readonly without?: readonly RetrievalPart[]
  /** Leave turns as they are, drawing nothing from them: retrieval alone. */
  readonly consolidate?: boolean
}

/** Keepsake through its public API, each conversation in a store of its own. Recall does not reinforce. */
export function keepsakeSystem(options: KeepsakeSystemOptions): RetrievalSystem {
  const preset = choosePreset(options)
  const recipe = preset.ranking.kind === 'hybrid' ? preset.ranking.recipe : null
  const { without = [], consolidate = true } = options
  return {
    name: `keepsake/${preset.name}`,
    config: { preset: preset.name, without, consolidate, weights: recipe?.weights ?? null },
    ingest: async (conversation) => {
      const keepsake = await openMemory({ path: ':memory:', preset, maskSecrets: false })
      const memory = keepsake.scope({ user: conversation.user })
      for (const session of conversation.sessions) {
        const turns = session.turns.map(({ zone, ...turn }) => ({ ...turn, timeZone: zone }))
        await memory.remember(turns, { session: session.id })
        if (consolidate) await memory.endSession(session.id)
      }
      if (consolidate) await memory.drain()
      return {
        recall: async (question, limit) => {
          const recall = await memory.recall(question.text, {
            limit: Math.min(MOST_MEMORIES, limit),
            now: question.askedAt,
            reinforce: false,
          })
          const sessions = recall.sessions.map(({ session }) => session)
          return { turns: expandToTurns(recall.memories), sessions, confidence: recall.confidence }
        },
        close: () => keepsake.close(),
      }
    },
  }
}

/** The baseline every figure is read against: BM25 over single turns, in the same engine with the same words. */
export function turnLevelBm25(): RetrievalSystem {
  const without = RETRIEVAL_PARTS.filter((part) => part !== 'lexical')
  return { ...keepsakeSystem({ preset: 'keepsake', without, consolidate: false }), name: 'turn-level BM25' }
}

function choosePreset({ preset, without = [] }: KeepsakeSystemOptions): Preset {
  const chosen = findPreset(preset)
  if (without.length === 0) return chosen
  if (chosen.ranking.kind !== 'hybrid')
    throw new RangeError(`The preset ${preset} has no parts to switch off.`)
  return { ...chosen, ranking: { kind: 'hybrid', recipe: withoutParts(chosen.ranking.recipe, without) } }
}

/**
 * The turns behind recalled memories, by their own score. A memory none of whose turns was found by itself (a fact
 * found by its wording) lends its score to its first.
 */
export function expandToTurns(memories: readonly RecalledMemory[]): { id: string; score: number }[] {
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
