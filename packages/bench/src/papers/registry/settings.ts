import type { FigureTask } from '../../log/figure.ts'
import type { RunSummary } from '../../results/run-summary.ts'

/** Settings of a run that a paper may fix, by their names in the run's configuration, each in words. */
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

/** The rest of a configuration: stated as data, models or judges, or without effect on a figure. */
export const STATED_ELSEWHERE: readonly string[] = [
  'harness',
  'operations',
  'cut',
  'preset',
  'variant',
  'without',
  'model',
  'embedding',
  'likeness',
  'bertscore',
  'limit',
  'answerTokens',
  'readerVersion',
  'judgeVersion',
]

/** A setting in words or as a number; `null` in a paper that does not say. */
export type Setting = string | number | null
export type Settings = Readonly<Partial<Record<SettingName, Setting>>>

/** Tasks that ask nothing: neither the number of memories nor the context changes their figures. */
const WITHOUT_QUESTIONS: readonly FigureTask[] = ['labels', 'operations', 'extraction', 'retrieval', 'cost']
const OF_QUESTIONS: readonly string[] = [
  'memoriesWanted',
  'contextTokens',
  'recalls',
  'ownAnswers',
  'reranking',
]
const UNCUT = 1_000_000
const PROTOCOLS: Readonly<Record<string, string>> = {
  own: 'the harness’s own',
  paper: 'HaluMem’s',
  lufy: 'LUFY’s',
}

type Run = Pick<RunSummary, 'config' | 'tasks'>

/** The settings under which a system was measured, of those in {@link SETTINGS} that its tasks depend on. */
export function settingsOf({ config, tasks }: Run): Settings {
  const asksNothing = tasks.every((task) => WITHOUT_QUESTIONS.includes(task))
  const defaults = 'memoriesWanted' in config ? { reranking: null, protocol: 'own' } : {}
  const settings = Object.entries({ ...defaults, ...config }).filter(
    ([name]) => name in SETTINGS && !(asksNothing && OF_QUESTIONS.includes(name)),
  )
  return Object.fromEntries(settings.map(([name, value]) => [name, settingText(value)]))
}

/** Each setting in which a run is not the paper's, a sentence each. */
export function tellSettings(here: Settings, paper: Settings): string[] {
  const names = Object.keys(SETTINGS) as SettingName[]
  return names.flatMap((name) => {
    const [ours, theirs] = [here[name], paper[name]]
    if (ours === undefined && (OF_QUESTIONS.includes(name) || theirs === undefined || theirs === null))
      return []
    if (ours === theirs) return []
    const own = `${SETTINGS[name]}: ${shown(ours ?? 'unset')} here`
    return [
      theirs === null || theirs === undefined
        ? `${own}; the paper does not say.`
        : `${own}, ${shown(theirs)} in the paper.`,
    ]
  })
}

function settingText(value: unknown): Setting {
  if (typeof value === 'string') return PROTOCOLS[value] ?? value
  if (typeof value === 'number') return value >= UNCUT ? 'uncut' : value
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return value ? 'the system' : 'the reader'
  return retentionText(value)
}

/** A preset's retention in words. */
function retentionText(value: object): string {
  const { when, keep, memories, characters } = { keep: 0, memories: 0, characters: 0, when: '', ...value }
  if (when === 'session-end') return `${keep * 100} % after each session`
  if (when === 'capacity')
    return memories > 0 ? `${shown(memories)} memories` : `${shown(characters)} characters`
  return 'nothing forgotten'
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value
}
