import { seededDraw } from '@keepsake/bench/parts'
import type { LanguageModel } from 'keepsake'
import { askChecked, type AskChecked } from '../ask-checked.ts'
import { GenerateError } from '../generate-error.ts'
import { readMaterial, type Material, type Theme } from '../material/read-material.ts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { Voice } from '../material/voice.ts'
import { makeTheme, type ThemeTeller } from './make-theme.ts'
import { askChangePrompt } from './prompts/ask-change.ts'
import { changeMemoryPrompt } from './prompts/change-memory.ts'
import { tellMemoryPrompt } from './prompts/tell-memory.ts'
import { themeMemoriesPrompt } from './prompts/theme-memories.ts'
import { templateTheme } from './template-theme.ts'
import { CONFLICTS_PER_THEME, type ThemeRecord } from './theme-record.ts'
import { validateTheme } from './validate-theme.ts'

export interface MemDialogueOptions {
  /** A whole number from 0: the same seed gives the same themes. */
  readonly seed: number
  /** How many of the hundred themes. Default 100. */
  readonly themes?: number | undefined
  readonly language: TalkLanguage
  /** Writes the talk. Absent: templates do. */
  readonly model?: LanguageModel | undefined
  /** Called as each theme is done, from 1. */
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
/** A separate stream, so that drawing the split leaves the themes unchanged. */
const SPLIT_STREAM = 1_000_000

/**
 * Makes a Mem_Dialogue set as SSMF describes it (MMM, section 2.2): a theme gives ten memories, each is stated in a
 * round of talk, four are changed by rounds inserted later, and one question asks about the outcome.
 *
 * @throws GenerateError when more themes are asked for than there are, or when a template gives a theme that does not hold together.
 * @example
 * const { themes } = await generateMemDialogue({ seed: 1, language: 'en' })
 */
export async function generateMemDialogue(options: MemDialogueOptions): Promise<GeneratedMemDialogue> {
  const { seed, language, themes: count = 100, onProgress } = options
  const material = readMaterial(language)
  const chosen = material.themes.slice(0, count)
  if (chosen.length < count || count < 1)
    throw new GenerateError(
      `There are ${material.themes.length} themes: ask for 1 to that many, not ${count}.`,
    )
  const train = seededDraw(seed, SPLIT_STREAM)
    .shuffled(chosen)
    .slice(0, Math.round(chosen.length * SHARE_OF_TRAIN))
  const themes: ThemeRecord[] = []
  const templates = { train: new Set<string>(), test: new Set<string>() }
  const failures: { theme: string; reason: string }[] = []
  for (const [place, theme] of chosen.entries()) {
    const split = train.includes(theme) ? 'train' : 'test'
    try {
      const { record, used } = await writeTheme(options, material, { theme, place, split })
      const problems = validateTheme(record)
      if (problems.length > 0)
        throw new GenerateError(`${record.id} (${theme.name}) was made badly: ${problems.join(' ')}`)
      themes.push(record)
      for (const template of used) templates[split].add(template)
    } catch (error) {
      if (options.model === undefined || !(error instanceof GenerateError)) throw error
      failures.push({ theme: theme.name, reason: error.message })
    }
    onProgress?.(place + 1, chosen.length)
  }
  const sorted = { train: [...templates.train].sort(), test: [...templates.test].sort() }
  return { themes, templates: sorted, failures }
}

async function writeTheme(
  { seed, language, model }: MemDialogueOptions,
  material: Material,
  { theme, place, split }: { readonly theme: Theme; readonly place: number; readonly split: Split },
): Promise<{ record: ThemeRecord; used: ReadonlySet<string> }> {
  const header = { theme: theme.name, place, language, split }
  if (model === undefined) {
    const draw = seededDraw(seed, place)
    const [user] = draw.pick(material.words.names)
    const voice = new Voice({ draw, material, split, slots: { who: user, theme: theme.name } })
    const record = await makeTheme(draw, { ...header, user }, templateTheme(voice, theme))
    return { record, used: voice.used }
  }
  const ask = askChecked(model, language)
  const [user] = seededDraw(seed, place).pick(material.words.names)
  const teller = await modelTheme(ask, theme.name, user)
  return { record: await makeTheme(seededDraw(seed, place), { ...header, user }, teller), used: new Set() }
}

/** A theme in a language model's words. @throws GenerateError when it gives no usable answer, then or later. */
async function modelTheme(ask: AskChecked, theme: string, user: string): Promise<ThemeTeller> {
  const { memories: texts } = await ask(themeMemoriesPrompt, { theme, user })
  const memories = texts.map((text, index) => ({
    id: `m${index + 1}`,
    text,
    modifications: CONFLICTS_PER_THEME,
    deletable: true,
  }))
  const now = new Map(memories.map(({ id, text }) => [id, text]))
  return {
    memories,
    async tell(memory) {
      const after = now.get(memory) ?? ''
      const { said, reply } = await ask(tellMemoryPrompt, { memory: after })
      return { memory, kind: 'add', before: null, after, user: said, agent: reply }
    },
    async change({ memory, kind }) {
      const before = now.get(memory) ?? ''
      const others = [...now].flatMap(([id, text]) => (id === memory ? [] : [text]))
      const { after, said, reply } = await ask(changeMemoryPrompt, { kind, memory: before, others })
      if (after === null) now.delete(memory)
      else now.set(memory, after)
      return { memory, kind, before, after, user: said, agent: reply }
    },
    ask: ({ before, after }, talk) =>
      ask(askChangePrompt, {
        before: before ?? '',
        after,
        talk: talk.map(({ user, agent }) => `user: ${user}\nagent: ${agent}`),
      }),
  }
}
