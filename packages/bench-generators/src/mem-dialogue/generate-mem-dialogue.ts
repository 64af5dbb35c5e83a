import type { LanguageModel } from 'keepsake'
import { seededDraw } from '../draw.ts'
import { GenerateError } from '../generate-error.ts'
import type { Split, TalkLanguage } from '../material/told-kind.ts'
import { readMaterial, type Theme } from '../material/read-material.ts'
import { modelTheme } from './model-theme.ts'
import { templateTheme } from './template-theme.ts'
import type { ThemeRecord } from './theme-record.ts'
import { validateTheme } from './validate-theme.ts'

export interface MemDialogueOptions {
  /** A whole number from 0: the same seed gives the same themes. */
  readonly seed: number
  /** How many of the hundred themes. Default 100. */
  readonly themes?: number
  readonly language: TalkLanguage
  /** Whether a language model writes the talk, or templates do. */
  readonly mode: 'template' | 'model'
  /** Needed in the mode `model`. */
  readonly model?: LanguageModel
  /** Told as each theme is done, from 1. */
  readonly onProgress?: (done: number, of: number) => void
}

export interface GeneratedMemDialogue {
  readonly themes: readonly ThemeRecord[]
  /** Ids of the templates that each split used; empty with a model. */
  readonly templates: Readonly<Record<Split, readonly string[]>>
  /** Themes that could not be made, and why. */
  readonly failures: readonly { readonly theme: string; readonly reason: string }[]
}

/** Train and test are 7 : 3, by theme (MMM, section 2.3). */
const SHARE_OF_TRAIN = 0.7
/** A stream of its own, so that drawing the split leaves the themes as they are. */
const SPLIT_STREAM = 1_000_000

/**
 * Makes a Mem_Dialogue set as SSMF describes it (MMM, section 2.2): a theme gives ten memories, each is told in a
 * round of talk, four are perturbed by rounds put in later, and one question asks what came of it.
 *
 * @throws GenerateError when more themes are asked for than there are, when a model is missing, or when a template
 * gives a theme that does not hold together.
 * @example
 * const { themes } = await generateMemDialogue({ seed: 1, language: 'en', mode: 'template' })
 */
export async function generateMemDialogue(options: MemDialogueOptions): Promise<GeneratedMemDialogue> {
  const { seed, language, mode, model, themes: count = 100, onProgress } = options
  const material = readMaterial(language)
  const chosen = material.themes.slice(0, count)
  if (chosen.length < count || count < 1)
    throw new GenerateError(
      `There are ${material.themes.length} themes: ask for 1 to that many, not ${count}.`,
    )
  const splits = splitThemes(seed, chosen)
  const made: ThemeRecord[] = []
  const templates: Record<Split, Set<string>> = { train: new Set(), test: new Set() }
  const failures: { theme: string; reason: string }[] = []
  for (const [place, theme] of chosen.entries()) {
    const split = splits.get(theme.id) ?? 'train'
    if (mode === 'template') {
      const { record, templates: used } = templateTheme({ theme, place, seed, split, material })
      requireValid(record)
      made.push(record)
      for (const template of used) templates[split].add(template)
    } else {
      const [user] = seededDraw(seed, place).pick(material.words.names)
      const common = { theme: theme.name, place, seed, split, language, user }
      const outcome = await modelTheme({ ...common, model: required(model) })
      if (outcome.kind === 'made') made.push(outcome.record)
      else failures.push({ theme: theme.name, reason: outcome.reason })
    }
    onProgress?.(place + 1, chosen.length)
  }
  return {
    themes: made,
    templates: { train: [...templates.train].sort(), test: [...templates.test].sort() },
    failures,
  }
}

function required(model: LanguageModel | undefined): LanguageModel {
  if (model === undefined)
    throw new GenerateError('The mode "model" needs a model: give one, or use "template".')
  return model
}

function splitThemes(seed: number, themes: readonly Theme[]): ReadonlyMap<string, Split> {
  const train = Math.round(themes.length * SHARE_OF_TRAIN)
  const shuffled = seededDraw(seed, SPLIT_STREAM).shuffled(themes)
  return new Map(shuffled.map(({ id }, place) => [id, place < train ? 'train' : 'test']))
}

function requireValid(record: ThemeRecord): void {
  const problems = validateTheme(record)
  if (problems.length > 0)
    throw new GenerateError(`The templates made ${record.id} (${record.theme}) badly: ${problems.join(' ')}`)
}
