import { seededDraw } from '@keepsake/bench/parts'
import type { LanguageModel } from 'keepsake'
import { askChecked, type AskChecked } from '../ask-checked.ts'
import { GenerateError } from '../generate-error.ts'
import { readMaterial, type Material, type Theme } from '../material/read-material.ts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { Voice } from '../material/voice.ts'
import { makeTheme, type ThemeWriter } from './make-theme.ts'
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
  /** Number of themes, up to 100. Default 100. */
  readonly themes?: number | undefined
  readonly language: TalkLanguage
  /** The model that writes the talk. Absent: it is written from templates. */
  readonly model?: LanguageModel | undefined
  /** Called after each theme, with the number of themes so far. */
  readonly onProgress?: (done: number, of: number) => void
}

export interface GeneratedMemDialogue {
  readonly themes: readonly ThemeRecord[]
  /** Ids of the templates that each split used; empty with a model. */
  readonly templates: Readonly<Record<Split, readonly string[]>>
  /** Themes that the model could not make, and why. */
  readonly failures: readonly { readonly theme: string; readonly reason: string }[]
}

/** 70 % of the themes are for training, 30 % for tests (MMM, section 2.3). */
const SHARE_OF_TRAIN = 0.7
/** The split has its own stream of random numbers, so that it does not change the themes. */
const SPLIT_STREAM = 1_000_000

/** Makes a Mem_Dialogue set (MMM, section 2.2). Each theme has ten memories with a round each, four changes, and one question. */
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
  for (const [index, theme] of chosen.entries()) {
    const split = train.includes(theme) ? 'train' : 'test'
    try {
      const { record, used: templateIds } = await writeTheme(options, material, { theme, index, split })
      const problems = validateTheme(record)
      if (problems.length > 0)
        throw new GenerateError(`${record.id} (${theme.name}) was made badly: ${problems.join(' ')}`)
      themes.push(record)
      for (const template of templateIds) templates[split].add(template)
    } catch (error) {
      if (options.model === undefined || !(error instanceof GenerateError)) throw error
      failures.push({ theme: theme.name, reason: error.message })
    }
    onProgress?.(index + 1, chosen.length)
  }
  const sorted = { train: [...templates.train].sort(), test: [...templates.test].sort() }
  return { themes, templates: sorted, failures }
}

async function writeTheme(
  { seed, language, model }: MemDialogueOptions,
  material: Material,
  { theme, index, split }: { readonly theme: Theme; readonly index: number; readonly split: Split },
): Promise<{ record: ThemeRecord; used: ReadonlySet<string> }> {
  const header = { theme: theme.name, index, language, split }
  if (model === undefined) {
    const draw = seededDraw(seed, index)
    const [user] = draw.pick(material.words.names)
    const voice = new Voice({ draw, material, split, slots: { who: user, theme: theme.name } })
    const record = await makeTheme(draw, { ...header, user }, templateTheme(voice, theme))
    return { record, used: voice.used }
  }
  const ask = askChecked(model, language)
  const [user] = seededDraw(seed, index).pick(material.words.names)
  const writer = await modelWriter(ask, theme.name, user)
  return { record: await makeTheme(seededDraw(seed, index), { ...header, user }, writer), used: new Set() }
}

/** Makes a writer that uses a language model. It and its functions throw a GenerateError when the model gives no usable answer. */
async function modelWriter(ask: AskChecked, theme: string, user: string): Promise<ThemeWriter> {
  const { memories: texts } = await ask(themeMemoriesPrompt, { theme, user })
  const memories = texts.map((text, index) => ({
    id: `m${index + 1}`,
    text,
    modifications: CONFLICTS_PER_THEME,
    deletable: true,
  }))
  const currentTexts = new Map(memories.map(({ id, text }) => [id, text]))
  return {
    memories,
    async tell(memory) {
      const after = currentTexts.get(memory) ?? ''
      const { said, reply } = await ask(tellMemoryPrompt, { memory: after })
      return { memory, kind: 'add', before: null, after, user: said, agent: reply }
    },
    async change({ memory, kind }) {
      const before = currentTexts.get(memory) ?? ''
      const others = [...currentTexts].flatMap(([id, text]) => (id === memory ? [] : [text]))
      const { after, said, reply } = await ask(changeMemoryPrompt, { kind, memory: before, others })
      if (after === null) currentTexts.delete(memory)
      else currentTexts.set(memory, after)
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
