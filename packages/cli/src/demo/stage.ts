import type { Keepsake, ScopedMemory, TurnInput } from 'keepsake'
import type { Io } from '../io.ts'
import { print } from '../output/print.ts'
import type { Progress } from '../output/progress.ts'
import { styleFor, wrap, type Style } from '../output/style.ts'
import type { CallTally } from '../watch-calls.ts'

/** One of the people of the demo: their conversation, and their memory. */
export interface Person {
  readonly user: string
  readonly name: string
  readonly sessions: readonly DemoSession[]
}

export interface DemoSession {
  readonly id: string
  readonly turns: readonly (TurnInput & { readonly id: string; readonly text: string; readonly at: string })[]
}

/** A promise that the demo puts to the test while it runs. */
export interface Promised {
  readonly promise: string
  readonly kept: boolean
  /** Who keeps it, where it is not the engine alone: then a broken one is told, and fails nothing. */
  readonly upTo: 'model' | 'preset' | null
}

/** The language model that draws and tells, and what it was asked. */
export interface StageModel {
  /** As it was named. */
  readonly name: string
  readonly tally: CallTally
}

/** What chapters share: the open memory, the people, the clock of the story, and where to write. */
export interface Stage {
  readonly memory: Keepsake
  readonly file: string
  readonly english: Person
  readonly chinese: Person
  readonly clock: { now: number }
  /** `null` without one: rules draw then. */
  readonly model: StageModel | null
  /** Shows what a slow step waits for. */
  readonly progress: Progress
  readonly style: Style
  readonly promises: Promised[]
  /** Writes lines, unless the demo was asked for JSON. */
  readonly say: (...lines: readonly string[]) => void
}

export interface Chapter {
  readonly title: string
  /** What the chapter shows, in a sentence. */
  readonly about: string | ((stage: Stage) => string)
  /** Whether there is anything to tell; always when absent. */
  readonly isTold?: (stage: Stage) => boolean
  /** Tells it, and returns its facts for `--json`. */
  readonly tell: (stage: Stage) => Promise<Record<string, unknown>>
}

export const memoryOf = (stage: Stage, person: Person): ScopedMemory =>
  stage.memory.scope({ user: person.user })

export function makeStage(io: Io, parts: Omit<Stage, 'style' | 'promises' | 'say'>, isMuted: boolean): Stage {
  const say = isMuted ? () => undefined : (...lines: readonly string[]) => print(io, ...lines)
  return { ...parts, style: styleFor(io), promises: [], say }
}

const BROKEN = {
  engine: '✗ NOT KEPT:',
  model: '✗ THE MODEL MISSED IT:',
  preset: '✗ NOT BY THIS PRESET:',
} as const

/** Notes whether a promise held, and says so. */
export function putToTest(stage: Stage, promise: string, kept: boolean, upTo: Promised['upTo'] = null): void {
  stage.promises.push({ promise, kept, upTo })
  const { style } = stage
  stage.say(wrap(promise, style.width, `  ${kept ? style.good('✓') : style.warn(BROKEN[upTo ?? 'engine'])} `))
}

/** Names a chapter and says what it shows. */
export function announce(stage: Stage, number: number, { title, about }: Chapter): void {
  const { style, say } = stage
  const words = typeof about === 'string' ? about : about(stage)
  say('', style.bold(`${number}  ${title}`), wrap(style.dim(words), style.width, '   '), '')
}
