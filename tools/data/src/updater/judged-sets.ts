import { readMaterial } from '@keepsake/bench-generators'
import type { UpdateExample } from './example.ts'
import { LANGUAGES, themesOf } from './gather-examples.ts'
import { readNatural } from './own-words.ts'
import { FactKinds, LIST_FORMS, themeExamples } from './theme-examples.ts'

export interface JudgedSet {
  readonly name: string
  readonly examples: readonly UpdateExample[]
}

/**
 * What the updater is judged on, none of it learned from: the test split of Mem_Dialogue, with the list as it was told and as the
 * generator states it (which is what MMM's updater is shown), and words that no generator made.
 */
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
