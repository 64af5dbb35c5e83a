// Lists and runs the tasks of a golden run: every preset in both languages over some sets of talks.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import type { Line } from './normalise.ts'
import { openReplay } from './replay.ts'
import { runChanges } from './run-changes.ts'
import { openRun, runTalk, type RunOptions } from './run-talk.ts'
import {
  generateTalk,
  LANGUAGES,
  PERSON_NAMES,
  readEveryday,
  readPerson,
  readShortTalk,
  ROOT,
  TALK_NAMES,
  type Language,
  type Talk,
} from './talks.ts'

const DEFAULT: PresetName = 'keepsake'
const GENERATED_ROUNDS = { all: 400, sample: 120 } as const
const SAMPLED_QUESTIONS = 3

/** One golden file: a preset, a language and a set of talks. Can be sent to another thread. */
export interface Task {
  readonly preset: PresetName
  readonly language: Language
  readonly set: string
}

const SETS: Readonly<Record<string, (language: Language) => Talk[]>> = {
  everyday: (language) => readEveryday('everyday', language),
  'everyday-unseen': (language) => readEveryday('everyday-unseen', language),
  'everyday-held-out': (language) => readEveryday('everyday-held-out', language),
  talk: (language) => [readShortTalk(language)],
  person: (language) => [readPerson(language)],
  generated: (language) => [generateTalk(language, GENERATED_ROUNDS.all)],
}
/** The smaller set for the other presets. Every third question is asked. */
const SAMPLES: Readonly<Record<string, (language: Language) => Talk[]>> = {
  sample: (language) => [
    ...readEveryday('everyday', language).slice(0, 1),
    generateTalk(language, GENERATED_ROUNDS.sample),
  ],
}

const answersOf = (preset: PresetName, language: Language): string =>
  join(ROOT, 'packages/bench/data/answers', TALK_NAMES[language], `${preset}.jsonl`)

/** Lists all tasks, the longest first within a language. */
export function listTasks(): Task[] {
  const tasks: Task[] = []
  for (const language of LANGUAGES) {
    const add = (preset: PresetName, sets: readonly string[]): void => {
      tasks.push(...sets.map((set) => ({ preset, language, set })))
    }
    add(DEFAULT, Object.keys(SETS))
    add(DEFAULT, ['recorded-person', 'recorded-weak-person'])
    for (const preset of PRESET_NAMES) {
      if (preset !== DEFAULT) add(preset, Object.keys(SAMPLES))
      add(preset, existsSync(answersOf(preset, language)) ? ['changes', 'recorded'] : ['changes'])
    }
  }
  return tasks
}

export async function runTask({ preset, language, set }: Task): Promise<Line[]> {
  if (set === 'changes') return runChanges(preset, language)
  if (set.startsWith('recorded')) return runRecorded(preset, language, set)
  const whole = SETS[set]?.(language)
  if (whole !== undefined) return runTalks(preset, whole)
  const options = { every: SAMPLED_QUESTIONS, hasTurns: false }
  return runTalks(preset, SAMPLES[set]?.(language) ?? [], options)
}

async function runTalks(preset: PresetName, talks: readonly Talk[], options?: RunOptions): Promise<Line[]> {
  const run = await openRun(preset)
  try {
    const lines: Line[] = []
    for (const talk of talks) lines.push(...(await runTalk(run, talk, options)))
    return lines
  } finally {
    await run.keepsake.close()
  }
}

/** Runs a talk with a model whose answers were recorded. Lines list the prompts with recorded answers and those without. */
async function runRecorded(preset: PresetName, language: Language, set: string): Promise<Line[]> {
  const isPerson = set !== 'recorded'
  const weak = set === 'recorded-weak-person' ? '-weak' : ''
  const person = join(
    ROOT,
    'packages/bench/data/with-a-model',
    `keepsake${weak}-${PERSON_NAMES[language]}.jsonl`,
  )
  const replay = openReplay(isPerson ? person : answersOf(preset, language))
  const { about, model, answeredPrompts, unansweredPrompts } = replay
  const whole = isPerson ? readPerson(language) : readShortTalk(language, about.rounds)
  const talk = { ...whole, questions: whole.questions.slice(0, about.questions) }
  const run = await openRun(preset, model)
  try {
    const replies = isPerson ? 0 : 2
    const lines = await runTalk(run, talk, { bySession: true, hasTurns: false, replies })
    // The lines have no counts, since the number of requests differs: failed jobs are repeated by the machine's clock.
    const promptLines = (kind: string, prompts: ReadonlySet<string>): Line[] =>
      [...prompts].map((prompt) => ({ kind, id: `${talk.name}/${prompt}`, content: 'yes' }))
    return [...lines, ...promptLines('asked', answeredPrompts), ...promptLines('missing', unansweredPrompts)]
  } finally {
    await run.keepsake.close()
  }
}
