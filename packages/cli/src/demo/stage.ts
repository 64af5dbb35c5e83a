import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Keepsake, ScopedMemory, TurnInput } from 'keepsake'
import type { Io } from '../io.ts'
import { print } from '../output/print.ts'
import type { Progress } from '../output/progress.ts'
import { styleFor, wrap, type Style } from '../output/style.ts'
import type { CallTally } from '../watch-calls.ts'

export interface DemoSession {
  readonly id: string
  readonly turns: readonly (TurnInput & { readonly id: string; readonly text: string; readonly at: string })[]
}

/** A user of the demo, with conversation and memory. */
export interface Person {
  readonly user: string
  readonly name: string
  readonly memory: ScopedMemory
  readonly sessions: readonly DemoSession[]
}

export interface DemoPromise {
  readonly promise: string
  readonly kept: boolean
  /** Whether the model or preset decides, too: such a broken promise is shown but does not fail the demo. */
  readonly upTo: 'model' | 'preset' | null
}

interface DemoState {
  readonly memory: Keepsake
  readonly file: string
  readonly english: Person
  readonly chinese: Person
  /** The demo's present, in milliseconds since 1970. */
  readonly clock: { now: number }
  /** The language model by its name, and its calls; `null`: rules extract. */
  readonly model: { readonly name: string; readonly tally: CallTally } | null
  readonly progress: Progress
}

const BROKEN_LABELS = {
  engine: '✗ NOT KEPT:',
  model: '✗ THE MODEL MISSED IT:',
  preset: '✗ NOT BY THIS PRESET:',
} as const

export interface Stage extends DemoState {
  readonly style: Style
  readonly promises: DemoPromise[]
  /** Writes lines, except with `--json`. */
  readonly say: (...lines: readonly string[]) => void
  /** Writes a paragraph, indented. */
  readonly paragraph: (text: string, before?: string) => void
  /** Records and shows whether a promise held. */
  readonly checkPromise: (promise: string, kept: boolean, upTo?: DemoPromise['upTo']) => void
}

export function makeStage(io: Io, scene: DemoState, isMuted: boolean): Stage {
  const style = styleFor(io)
  const promises: DemoPromise[] = []
  const say: Stage['say'] = (...lines) => {
    if (!isMuted) print(io, ...lines)
  }
  const paragraph: Stage['paragraph'] = (text, before = '   ') => say(wrap(text, style.width, before))
  const putToTest: Stage['checkPromise'] = (promise, kept, upTo = null) => {
    promises.push({ promise, kept, upTo })
    paragraph(promise, `  ${kept ? style.good('✓') : style.warn(BROKEN_LABELS[upTo ?? 'engine'])} `)
  }
  return { ...scene, style, promises, say, paragraph, checkPromise: putToTest }
}

/** Reads an included conversation: JSON Lines, a turn a line, as `keepsake import` takes it. */
export function readConversation(file: string): DemoSession[] {
  const lines = readFileSync(new URL(`../../data/demo/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const turns = lines.map((line) => JSON.parse(line) as DemoSession['turns'][number] & { session: string })
  return [...Map.groupBy(turns, ({ session }) => session)].map(([id, turnsOfSession]) => ({
    id,
    turns: turnsOfSession.map(({ session: _session, ...turn }) => turn),
  }))
}

/** Remembers a conversation session by session, as if it took place now. @param setClock is called with each session's time */
export async function rememberConversation(
  memory: ScopedMemory,
  sessions: readonly DemoSession[],
  setClock: (now: number) => void,
): Promise<void> {
  for (const { id, turns } of sessions) {
    setClock(Date.parse(turns.at(-1)?.at ?? ''))
    await memory.remember(turns, { session: id })
    await memory.endSession(id)
    await memory.drain()
  }
}

/** Finds which texts the database's files contain, byte for byte: the file, its journals and temporary files. */
export function findInFiles(
  database: string,
  texts: readonly string[],
): { files: string[]; found: string[] } {
  const folder = dirname(database)
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(database)))
  const contents = files.map((name) => readFileSync(join(folder, name)))
  const found = texts.filter((text) => contents.some((content) => content.includes(text, 0, 'utf8')))
  return { files, found }
}
