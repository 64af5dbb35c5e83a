import type { Keepsake, ScopedMemory, TurnInput } from 'keepsake'
import type { Io } from '../io.ts'
import { print } from '../output/print.ts'
import { styleFor, wrap, type Style } from '../output/style.ts'

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
}

/** What chapters share: the open memory, the people, the clock of the story, and where to write. */
export interface Stage {
  readonly memory: Keepsake
  readonly file: string
  readonly english: Person
  readonly chinese: Person
  readonly clock: { now: number }
  readonly style: Style
  readonly promises: Promised[]
  /** Writes lines, unless the demo was asked for JSON. */
  readonly say: (...lines: readonly string[]) => void
}

export interface Chapter {
  readonly title: string
  /** What the chapter shows, in a sentence. */
  readonly about: string
  /** Tells it, and returns its facts for `--json`. */
  readonly tell: (stage: Stage) => Promise<Record<string, unknown>>
}

export const memoryOf = (stage: Stage, person: Person): ScopedMemory =>
  stage.memory.scope({ user: person.user })

export function makeStage(io: Io, parts: Omit<Stage, 'style' | 'promises' | 'say'>, isMuted: boolean): Stage {
  const say = isMuted ? () => undefined : (...lines: readonly string[]) => print(io, ...lines)
  return { ...parts, style: styleFor(io), promises: [], say }
}

/** Notes whether a promise held, and says so. */
export function putToTest(stage: Stage, promise: string, kept: boolean): void {
  stage.promises.push({ promise, kept })
  const { style } = stage
  stage.say(wrap(promise, style.width, `  ${kept ? style.good('✓') : style.warn('✗ NOT KEPT:')} `))
}

/** Names a chapter and says what it shows. */
export function announce({ style, say }: Stage, number: number, { title, about }: Chapter): void {
  say('', style.bold(`${number}  ${title}`), wrap(style.dim(about), style.width, '   '), '')
}
