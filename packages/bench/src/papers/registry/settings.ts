import type { FigureTask } from '../../log/figure.ts'
import type { RunSummary } from '../../results/run-summary.ts'

/** Settings of a run that a paper may fix. Each has its name in the run's configuration, and words for reports. */
export const SETTINGS = {
  retention: 'The memory is limited to',
  snapshot: 'The persona is extracted from',
  round: 'A round of the plot',
  recalls: 'Retrieval is among',
  memoriesWanted: 'Memories retrieved for a question',
  contextTokens: 'Tokens of context for an answer',
  reranking: 'What is found is reranked by',
  images: 'Captions of images',
  protocol: 'Protocol of the run',
  ownAnswers: 'Answers are written by',
  split: 'Part of the data',
  mode: 'List before each round',
  listTokens: 'Tokens of the list that is shown',
  turns: 'Replies scored per test session',
} as const
export type SettingName = keyof typeof SETTINGS

/** A setting in words or as a number. `null`: the paper does not say. */
export type Setting = string | number | null
export type Settings = Readonly<Partial<Record<SettingName, Setting>>>

/** Tasks without questions. The settings of questions do not change their figures. */
const TASKS_WITHOUT_QUESTIONS: readonly FigureTask[] = [
  'labels',
  'operations',
  'extraction',
  'retrieval',
  'cost',
]
/** Settings that change only the figures of questions. */
const QUESTION_SETTINGS: readonly string[] = [
  'memoriesWanted',
  'contextTokens',
  'recalls',
  'ownAnswers',
  'reranking',
]
/** A limit from this number on counts as no limit. */
const UNCUT = 1_000_000
const PROTOCOLS: Readonly<Record<string, string>> = {
  own: 'the harness’s own',
  paper: 'HaluMem’s',
  lufy: 'LUFY’s',
}

type Run = Pick<RunSummary, 'config' | 'tasks'>

/** Returns the settings of a run that are in {@link SETTINGS} and change the figures of its tasks. */
export function settingsOf({ config, tasks }: Run): Settings {
  const hasNoQuestions = tasks.every((task) => TASKS_WITHOUT_QUESTIONS.includes(task))
  const defaults = 'memoriesWanted' in config ? { reranking: null, protocol: 'own' } : {}
  const settings = Object.entries({ ...defaults, ...config }).filter(
    ([name]) => name in SETTINGS && !(hasNoQuestions && QUESTION_SETTINGS.includes(name)),
  )
  return Object.fromEntries(settings.map(([name, value]) => [name, settingText(value)]))
}

/** Describes each setting in which a run differs from the paper, in one sentence. */
export function describeDifferentSettings(here: Settings, paper: Settings): string[] {
  const names = Object.keys(SETTINGS) as SettingName[]
  return names.flatMap((name) => {
    const hereValue = here[name]
    const paperValue = paper[name] ?? null
    const isIrrelevant = QUESTION_SETTINGS.includes(name) || paperValue === null
    if (hereValue === paper[name] || (hereValue === undefined && isIrrelevant)) return []
    const statement = `${SETTINGS[name]}: ${formatValue(hereValue ?? 'unset')} here`
    if (paperValue === null) return [`${statement}; the paper does not say.`]
    return [`${statement}, ${formatValue(paperValue)} in the paper.`]
  })
}

/** Converts a value of a run's configuration to words. The only setting with a boolean is `ownAnswers`. */
function settingText(value: unknown): Setting {
  if (typeof value === 'string') return PROTOCOLS[value] ?? value
  if (typeof value === 'number') return value >= UNCUT ? 'uncut' : value
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return value ? 'the system' : 'the reader'
  return retentionText(value)
}

/** Describes a preset's retention. */
function retentionText(value: object): string {
  const { when, keep, memories, characters } = { keep: 0, memories: 0, characters: 0, when: '', ...value }
  if (when === 'session-end') return `${keep * 100} % after each session`
  if (when === 'capacity')
    return memories > 0 ? `${formatValue(memories)} memories` : `${formatValue(characters)} characters`
  return 'nothing forgotten'
}

function formatValue(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value
}
