import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Keepsake, ScopedMemory, TurnInput } from 'keepsake'
import type { Io } from '../io.ts'
import { print } from '../output/print.ts'
import { styleFor, wrap, type Style } from '../output/style.ts'

export interface DemoSession {
  readonly id: string
  readonly turns: readonly (TurnInput & { readonly id: string; readonly text: string; readonly at: string })[]
}

/** A user of the demo, with conversation and memory. */
export interface Person {
  readonly name: string
  readonly memory: ScopedMemory
  readonly sessions: readonly DemoSession[]
}

export interface DemoPromise {
  readonly promise: string
  readonly kept: boolean
}

/** The memory and its users, on which the chapters work. */
interface DemoState {
  readonly memory: Keepsake
  readonly file: string
  readonly english: Person
  readonly chinese: Person
  /** The demo's present, in milliseconds since 1970. */
  readonly clock: { now: number }
}

/** The state of the demo, with functions that show it. */
export interface Stage extends DemoState {
  readonly style: Style
  readonly promises: DemoPromise[]
  /** Writes lines, except with `--json`. */
  readonly say: (...lines: readonly string[]) => void
  /** Writes a paragraph, indented. */
  readonly paragraph: (text: string, before?: string) => void
  /** Records and shows whether a promise held. */
  readonly checkPromise: (promise: string, kept: boolean) => void
}

export function makeStage(io: Io, state: DemoState, isMuted: boolean): Stage {
  const style = styleFor(io)
  const promises: DemoPromise[] = []
  const say: Stage['say'] = (...lines) => {
    if (!isMuted) print(io, ...lines)
  }
  const paragraph: Stage['paragraph'] = (text, before = '   ') => say(wrap(text, style.width, before))
  const checkPromise: Stage['checkPromise'] = (promise, kept) => {
    promises.push({ promise, kept })
    paragraph(promise, `  ${kept ? style.good('✓') : style.warn('✗ NOT KEPT:')} `)
  }
  return { ...state, style, promises, say, paragraph, checkPromise }
}

/** Reads an included conversation: JSON Lines with one turn per line, as `keepsake import` reads them. */
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

/** Remembers a conversation session by session, as if it took place now. @param setClock is called with each turn's time */
export async function rememberConversation(
  memory: ScopedMemory,
  sessions: readonly DemoSession[],
  setClock: (now: number) => void,
): Promise<void> {
  for (const { id, turns } of sessions) {
    for (const turn of turns) {
      setClock(Date.parse(turn.at))
      await memory.remember(turn, { session: id })
    }
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
