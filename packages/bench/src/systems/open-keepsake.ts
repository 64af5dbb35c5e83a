import { join } from 'node:path'
import { openMemory, type Keepsake, type OpenOptions, type ScopedMemory } from 'keepsake'
import { withoutParts, type Preset, type RetrievalPart, whyUnused, type PresetOption } from 'keepsake/preset'
import type { Store } from 'keepsake/store'
import { languageReranking } from '@keepsake/models'
import { countModels, type CountedModels } from './count-models.ts'
import type { OpenSystemMemory } from './memory-system.ts'

/** @throws RangeError when the preset does not rank by parts. */
export function withoutPartsOf(preset: Preset, without: readonly RetrievalPart[]): Preset {
  if (without.length === 0) return preset
  if (preset.ranking.kind !== 'hybrid')
    throw new RangeError(`The preset ${preset.name} has no parts to switch off.`)
  return { ...preset, ranking: { kind: 'hybrid', recipe: withoutParts(preset.ranking.recipe, without) } }
}

/** Options of the engine, beside those that every benchmark sets alike. */
export type EngineOptions = Pick<
  OpenOptions,
  'retention' | 'exchangesPerExtraction' | 'importance' | 'arousal' | 'surprise' | 'modelOptions'
>

/** An opened preset, with its talk's clock. */
export interface OpenedKeepsake extends Pick<CountedModels, 'usage'> {
  readonly keepsake: Keepsake
  readonly scope: ScopedMemory
  readonly preset: Preset
  readonly clock: { now: number }
}

interface OpenKeepsakeOptions extends EngineOptions, Partial<OpenSystemMemory> {
  readonly preset: Preset
  readonly user: string
  readonly openStore?: () => Promise<Store>
}

/**
 * Opens the engine for a benchmark. In the process, with times and ids from the talk, so that two runs are the same; or, with a folder, on
 * a file with an application's defaults.
 */
export async function openKeepsake(options: OpenKeepsakeOptions): Promise<OpenedKeepsake> {
  const {
    preset,
    user,
    model = null,
    embedding = null,
    reranking = null,
    folder,
    modelTimeoutMs,
    openStore,
    retention,
    exchangesPerExtraction,
    importance,
    arousal,
    surprise,
    modelOptions,
  } = options
  const counted = countModels(model, embedding, reranking)
  const waits = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs }
  const clock = { now: 0 }
  let made = 0
  const place =
    folder === undefined
      ? {
          ...(openStore === undefined ? { path: ':memory:' } : { store: await openStore() }),
          maskSecrets: false,
          now: () => clock.now,
          newId: () => `m${String((made += 1)).padStart(9, '0')}`,
        }
      : { path: join(folder, 'keepsake.db') }
  // One command compares presets: each gets the options that it can use.
  const cannotUse = (option: PresetOption): boolean => whyUnused(preset, option) !== null
  const keepsake = await openMemory({
    ...place,
    preset,
    ...(counted.model === null ? {} : { model: counted.model }),
    ...(counted.embedding === null || cannotUse('embedding') ? {} : { embedding: counted.embedding }),
    ...(counted.reranking === null || cannotUse('reranking')
      ? {}
      : {
          reranking:
            'rerank' in counted.reranking ? counted.reranking : languageReranking(counted.reranking, waits),
        }),
    retention,
    exchangesPerExtraction,
    importance,
    ...(cannotUse('arousal') ? {} : { arousal }),
    ...(cannotUse('surprise') ? {} : { surprise }),
    modelOptions: modelTimeoutMs === undefined ? modelOptions : { ...modelOptions, ...waits },
  })
  return { keepsake, scope: keepsake.scope({ user }), preset, clock, usage: counted.usage }
}
