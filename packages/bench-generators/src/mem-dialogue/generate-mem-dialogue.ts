import { seededDraw } from '@keepsake/bench/parts'
import { GenerateError } from '../generate-error.ts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { readMaterial } from '../material/read-material.ts'
import { Voice } from '../material/voice.ts'
import { makeTheme } from './make-theme.ts'
import { templateTheme } from './template-theme.ts'
import type { ThemeRecord } from './theme-record.ts'

export interface MemDialogueOptions {
  /** A whole number from 0: the same seed gives the same themes. */
  readonly seed: number
  /** Number of themes, up to 100. Default 100. */
  readonly themes?: number | undefined
  readonly language: TalkLanguage
}

export interface GeneratedMemDialogue {
  readonly themes: readonly ThemeRecord[]
  /** Ids of the templates that each split used. */
  readonly templates: Readonly<Record<Split, readonly string[]>>
}

/** 70 % of the themes are train, 30 % test (MMM, section 2.3). */
const SHARE_OF_TRAIN = 0.7
/** A stream of random numbers of its own, so that the split does not change the themes. */
const SPLIT_STREAM = 1_000_000

/** Makes a Mem_Dialogue set (MMM, section 2.2): themes of ten memories, a round each, four changes, and one question. */
export function generateMemDialogue({ seed, language, themes: count = 100 }: MemDialogueOptions) {
  const material = readMaterial(language)
  const chosen = material.themes.slice(0, count)
  if (chosen.length < count || count < 1)
    throw new GenerateError(
      `There are ${material.themes.length} themes: ask for 1 to that many, not ${count}.`,
    )
  const train = seededDraw(seed, SPLIT_STREAM)
    .shuffled(chosen)
    .slice(0, Math.round(chosen.length * SHARE_OF_TRAIN))
  const templates = { train: new Set<string>(), test: new Set<string>() }
  const themes = chosen.map((theme, index): ThemeRecord => {
    const split: Split = train.includes(theme) ? 'train' : 'test'
    const draw = seededDraw(seed, index)
    const [user] = draw.pick(material.words.names)
    const voice = new Voice({ draw, material, split, slots: { who: user, theme: theme.name } })
    const header = { theme: theme.name, index, language, split, user }
    const record = makeTheme(draw, header, templateTheme(voice, theme))
    for (const template of voice.used) templates[split].add(template)
    return record
  })
  const sorted = { train: [...templates.train].sort(), test: [...templates.test].sort() }
  return { themes, templates: sorted } satisfies GeneratedMemDialogue
}
