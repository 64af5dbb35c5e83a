import type { LanguageModel } from 'keepsake'
import { askChecked, type AskChecked } from '../ask-checked.ts'
import { seededDraw } from '../draw.ts'
import { GenerateError } from '../generate-error.ts'
import type { Split, TalkLanguage } from '../material/told-kind.ts'
import { askChangePrompt } from './prompts/ask-change.ts'
import { changeMemoryPrompt } from './prompts/change-memory.ts'
import { tellMemoryPrompt } from './prompts/tell-memory.ts'
import { themeMemoriesPrompt } from './prompts/theme-memories.ts'
import { insertConflicts, planConflicts, type PlannedConflict } from './plan-conflicts.ts'
import { CONFLICTS_PER_THEME, type ThemeRecord } from './theme-record.ts'
import { validateTheme } from './validate-theme.ts'
import { lastingConflicts, writeTheme, type ThemePair } from './write-theme.ts'

export interface ModelThemeOptions {
  readonly theme: string
  readonly place: number
  readonly seed: number
  readonly split: Split
  readonly language: TalkLanguage
  /** The person's name. */
  readonly user: string
  readonly model: LanguageModel
}

export type ModelThemeOutcome =
  | { readonly kind: 'made'; readonly record: ThemeRecord }
  | { readonly kind: 'failed'; readonly reason: string }

/** Makes one theme with a language model. A failure ends this theme alone, with the reason. */
export async function modelTheme(options: ModelThemeOptions): Promise<ModelThemeOutcome> {
  try {
    const record = await makeTheme(options)
    const problems = validateTheme(record)
    return problems.length === 0 ? { kind: 'made', record } : { kind: 'failed', reason: problems.join(' ') }
  } catch (error) {
    if (error instanceof GenerateError) return { kind: 'failed', reason: error.message }
    throw error
  }
}

async function makeTheme(options: ModelThemeOptions): Promise<ThemeRecord> {
  const { theme, place, seed, split, language, user, model } = options
  const draw = seededDraw(seed, place)
  const ask = askChecked(model, language)
  const { memories: texts } = await ask(themeMemoriesPrompt, { theme, user })
  const memories = texts.map((text, index) => ({ id: `m${index + 1}`, text }))
  const base: ThemePair[] = []
  for (const { id, text } of memories) {
    const { said, reply } = await ask(tellMemoryPrompt, { memory: text })
    base.push({ memory: id, kind: 'add', before: null, after: text, user: said, agent: reply })
  }
  const plan = planConflicts(
    draw,
    memories.map(({ id }) => ({ id, modifications: CONFLICTS_PER_THEME, deletable: true })),
  )
  const flow = insertConflicts(draw, base, await tellConflicts(ask, plan, memories))
  const asked = draw.pick(lastingConflicts(flow))
  const { before = '', after = null } = flow[asked] ?? {}
  const question = { ...(await ask(askChangePrompt, { before: before ?? '', after })), operation: asked }
  return writeTheme(draw, { theme, place, language, split, user, memories, flow, question })
}

/** In order, each on what the one before left. */
async function tellConflicts(
  ask: AskChecked,
  plan: readonly PlannedConflict[],
  memories: ThemeRecord['memories'],
): Promise<ThemePair[]> {
  const now = new Map(memories.map(({ id, text }) => [id, text]))
  const pairs: ThemePair[] = []
  for (const { memory, kind } of plan) {
    const before = now.get(memory) ?? ''
    const others = [...now].flatMap(([id, text]) => (id === memory ? [] : [text]))
    const { after, said, reply } = await ask(changeMemoryPrompt, { kind, memory: before, others })
    if (after === null) now.delete(memory)
    else now.set(memory, after)
    pairs.push({ memory, kind, before, after, user: said, agent: reply })
  }
  return pairs
}
