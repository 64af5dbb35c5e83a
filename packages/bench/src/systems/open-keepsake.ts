import { join } from 'node:path'
import { openMemory, type Keepsake, type OpenOptions, type ScopedMemory } from 'keepsake'
import { withoutParts, type Preset, type RetrievalPart, whyUnused, type PresetOption } from 'keepsake/preset'
import { languageReranking } from '@keepsake/models'
import { countModels, type CountedModels } from './count-models.ts'
import type { OpenSystemMemory } from './memory-system.ts'

/** Switches off parts of a preset's ranking. @throws RangeError if the preset does not rank by parts */
export function withoutPartsOf(preset: Preset, without: readonly RetrievalPart[]): Preset {
  if (without.length === 0) return preset
  if (preset.ranking.kind !== 'hybrid')
    throw new RangeError(`The preset ${preset.name} has no parts to switch off.`)
  return { ...preset, ranking: { kind: 'hybrid', recipe: withoutParts(preset.ranking.recipe, without) } }
}

/** Options of the engine that differ between benchmarks. */
export type EngineOptions = Pick<
  OpenOptions,
  'retention' | 'exchangesPerExtraction' | 'importance' | 'arousal' | 'surprise' | 'modelOptions'
>

/** An opened preset. Its clock shows the time of the conversation. */
export interface OpenedKeepsake extends Pick<CountedModels, 'usage'> {
  readonly keepsake: Keepsake
  readonly scope: ScopedMemory
  readonly preset: Preset
  readonly clock: { now: number }
}

interface OpenKeepsakeOptions extends EngineOptions, Partial<OpenSystemMemory> {
  readonly preset: Preset
  readonly user: string
}

/** Opens the engine. In memory it has the conversation's times and ids, so that runs are equal. In a folder it has the defaults of applications. */
export async function openKeepsake(options: OpenKeepsakeOptions): Promise<OpenedKeepsake> {
  const {
    preset,
    user,
    model = null,
    embedding = null,
    reranking = null,
    folder,
    modelTimeoutMs,
    retention,
    exchangesPerExtraction,
    importance,
    arousal,
    surprise,
    modelOptions,
  } = options
  const counted = countModels(model, embedding, reranking)
  const timeout = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs }
  const clock = { now: 0 }
  let idCount = 0
  const storeOptions =
    folder === undefined
      ? {
          path: ':memory:',
          maskSecrets: false,
          now: () => clock.now,
          newId: () => `m${String((idCount += 1)).padStart(9, '0')}`,
        }
      : { path: join(folder, 'keepsake.db') }
  // One command may compare several presets, so each gets only the options that it can use.
  const cannotUse = (option: PresetOption): boolean => whyUnused(preset, option) !== null
  const keepsake = await openMemory({
    ...storeOptions,
    preset,
    ...(counted.model === null ? {} : { model: counted.model }),
    ...(counted.embedding === null || cannotUse('embedding') ? {} : { embedding: counted.embedding }),
    ...(counted.reranking === null || cannotUse('reranking')
      ? {}
      : {
          reranking:
            'rerank' in counted.reranking ? counted.reranking : languageReranking(counted.reranking, timeout),
        }),
    retention,
    exchangesPerExtraction,
    importance,
    ...(cannotUse('arousal') ? {} : { arousal }),
    ...(cannotUse('surprise') ? {} : { surprise }),
    modelOptions: modelTimeoutMs === undefined ? modelOptions : { ...modelOptions, ...timeout },
  })
  return { keepsake, scope: keepsake.scope({ user }), preset, clock, usage: counted.usage }
}
