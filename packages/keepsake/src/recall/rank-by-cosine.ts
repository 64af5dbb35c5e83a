import { cosine } from '@keepsake/text'
import type { Ranking } from '../presets/preset.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { scoreOf } from '../retrieval/score.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import { momentOf } from '../work/scope-view.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/** The documents by which a memory was found: its turns, or itself. */
function documentsOf({ memory, turns }: FoundMemory): string[] {
  return turns.size > 0 ? [...turns.keys()] : [memory.id]
}

/** What the policy says each memory is worth now, 0 to 1. */
async function worthOf({ engine, resolved }: Asking, cache: UserState, found: readonly FoundMemory[]) {
  const [row] = resolved.rows
  if (row === undefined) return []
  const moment = { ...momentOf({ engine, row, state: cache }), underWay: true }
  const memories = found.map(({ memory }) => engine.usage.counted(row.owner, memory))
  return engine.preset.policy.strengths(memories, moment).map(({ value }) => Math.min(1, Math.max(0, value)))
}

async function readThreshold(
  { thresholds }: Engine,
  given: (Ranking & { readonly kind: 'cosine' })['threshold'],
  language: PromptLanguage,
): Promise<number> {
  if (given === 'calibrated') return thresholds.of(language)
  return typeof given === 'number' ? given : given[language]
}

/** LUFY's and MemoryBank's ranking: exact cosine over a threshold, and a share of what the policy says the memory is worth. */
export async function rankByCosine(
  asking: Asking,
  cache: UserState,
  found: readonly FoundMemory[],
  query: Float32Array,
): Promise<readonly FoundMemory[]> {
  const { engine, resolved, asked } = asking
  const { ranking } = engine.preset
  if (ranking.kind !== 'cosine') return found
  const threshold = await readThreshold(engine, ranking.threshold, promptLanguage([asked.text]))
  const vectors = await engine.store.vectors(resolved.owner, found.flatMap(documentsOf), engine.embedding.id)
  const worth = await worthOf(asking, cache, found)
  const ranked = found.flatMap((one, index): FoundMemory[] => {
    const cosines = documentsOf(one).map((id) => cosine(query, vectors.get(id)))
    const best = Math.max(...cosines)
    if (best < threshold) return []
    const importance = ranking.importance * (worth[index] ?? 0)
    const turns = new Map([...one.turns.keys()].map((id, at) => [id, cosines[at] ?? 0]))
    return [{ ...one, ...scoreOf({ cosine: best, importance }), turns }]
  })
  return ranked.sort((one, other) => other.score - one.score)
}
