import { readMaterial } from '@keepsake/bench-generators'
import { UPDATE_KINDS, chooseUpdate, type UpdateKind, type UpdaterWeights } from '@keepsake/text'
import type { UpdateExample } from './example.ts'
import { LANGUAGES, themesOf } from './gather-examples.ts'
import { readNatural } from './own-words.ts'
import { FactKinds, LIST_FORMS, themeExamples } from './theme-examples.ts'

/** How a light updater did on some examples. Shares, 0 to 1; `null` of nothing. */
export interface UpdaterScore {
  readonly set: string
  readonly examples: number
  /** Right kinds. */
  readonly type: number | null
  /** Right kinds and, where something changes or is over, the right statement. */
  readonly typeAndIndex: number | null
  /** Recall: the share of expected changes and ends that the updater made, of the right statement and with the right kind. */
  readonly found: number | null
  /** Precision: the share of changes and ends it made that were of the right statement. Both kinds count as right. */
  readonly sound: number | null
  /** How often each expected kind (outer key) was taken for which kind (inner key). */
  readonly told: Readonly<Record<UpdateKind, Readonly<Record<UpdateKind, number>>>>
}

/** Compares what the updater chooses for examples with what was expected. */
export function judgeUpdater(
  set: string,
  examples: readonly UpdateExample[],
  weights: UpdaterWeights,
): UpdaterScore {
  const told = Object.fromEntries(
    UPDATE_KINDS.map((kind) => [kind, { none: 0, add: 0, modify: 0, delete: 0 }]),
  ) as Record<UpdateKind, Record<UpdateKind, number>>
  const sums = { type: 0, both: 0, changes: 0, found: 0, made: 0, sound: 0 }
  for (const example of examples) {
    const { kind, target } = chooseUpdate(example.said, example.known, { weights })
    told[example.kind][kind] += 1
    const isRight = kind === example.kind
    const isThere = target === example.target
    sums.type += isRight ? 1 : 0
    sums.both += isRight && isThere ? 1 : 0
    if (example.target !== null) {
      sums.changes += 1
      sums.found += isRight && isThere ? 1 : 0
    }
    if (target !== null) {
      sums.made += 1
      sums.sound += isThere ? 1 : 0
    }
  }
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
  return {
    set,
    examples: examples.length,
    type: share(sums.type, examples.length),
    typeAndIndex: share(sums.both, examples.length),
    found: share(sums.found, sums.changes),
    sound: share(sums.sound, sums.made),
    told,
  }
}

export interface JudgedSet {
  readonly name: string
  readonly examples: readonly UpdateExample[]
}

/** What the updater is judged on, none of it learned from: Mem_Dialogue's test split in two forms, and our own words. */
export async function judgedSets(): Promise<JudgedSet[]> {
  const sets: JudgedSet[] = []
  for (const language of LANGUAGES) {
    const kinds = new FactKinds(readMaterial(language))
    const themes = await themesOf(language, 'test')
    for (const form of LIST_FORMS) {
      const examples = themes.flatMap((theme) => themeExamples(theme, form, kinds))
      sets.push({ name: `test split, ${language}, list as ${form}`, examples })
    }
    for (const which of ['held-out', 'looked-at'] as const) {
      const examples = readNatural(which).filter((example) => example.language === language)
      sets.push({ name: `natural, ${language}, ${which}`, examples })
    }
  }
  return sets
}
