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
  readonly memory: ScopedMemory
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

/** What chapters share: the open memory, the people, the clock of the story. */
interface Scene {
  readonly memory: Keepsake
  readonly file: string
  readonly english: Person
  readonly chinese: Person
  readonly clock: { now: number }
  /** `null` without one: rules draw then. */
  readonly model: StageModel | null
  /** Shows what a slow step waits for. */
  readonly progress: Progress
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

const BROKEN = {
  engine: '✗ NOT KEPT:',
  model: '✗ THE MODEL MISSED IT:',
  preset: '✗ NOT BY THIS PRESET:',
} as const

/** Where chapters are told: the scene, and who listens. */
export interface Stage extends Scene {
  readonly style: Style
  readonly promises: Promised[]
  /** Writes lines, unless the demo was asked for JSON. */
  readonly say: (...lines: readonly string[]) => void
  /** Says a paragraph, set in, on as many lines as it needs. */
  readonly paragraph: (text: string, before?: string) => void
  /** Notes whether a promise held, and says so. */
  readonly putToTest: (promise: string, kept: boolean, upTo?: Promised['upTo']) => void
}

export function makeStage(io: Io, scene: Scene, isMuted: boolean): Stage {
  const style = styleFor(io)
  const promises: Promised[] = []
  const say: Stage['say'] = (...lines) => {
    if (!isMuted) print(io, ...lines)
  }
  const paragraph: Stage['paragraph'] = (text, before = '   ') => say(wrap(text, style.width, before))
  const putToTest: Stage['putToTest'] = (promise, kept, upTo = null) => {
    promises.push({ promise, kept, upTo })
    paragraph(promise, `  ${kept ? style.good('✓') : style.warn(BROKEN[upTo ?? 'engine'])} `)
  }
  return { ...scene, style, promises, say, paragraph, putToTest }
}
