import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Keepsake } from 'keepsake'
import { CliError, wrongUsage } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { serveInspector } from '../inspecting/serve-inspector.ts'
import type { Io } from '../io.ts'
import { isAddress, withOpened } from '../open-database.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import { commandName, show, type Shown } from '../output/print.ts'
import { wrap } from '../output/style.ts'
import { CHAPTERS } from './chapters.ts'
import { makeStage, readConversation, rememberConversation, type DemoPromise } from './stage.ts'

export interface DemoOptions {
  /** The path of a new database. Default: in a temporary folder. */
  readonly db?: string
  readonly json?: boolean
  /** The port of the page; 0 for any. */
  readonly port: number
}

const WELCOME =
  'Keepsake remembers conversations: the messages, facts about the user, what changed, and what can be forgotten. Everything below runs now on this machine, with no key, no server and no language model.'

/** The users of the demo, and the files of their conversations. */
const CONVERSATIONS = { maya: 'maya-en.jsonl', xiaoyu: 'xiaoyu-zh.jsonl', maud: 'maud-en.jsonl' } as const

/** Plays all chapters on two included conversations. @throws CliError when a promise was not kept. */
export async function runDemo(io: Io, options: DemoOptions): Promise<void> {
  const file = newFile(options)
  const started = performance.now()
  const promises = await playChapters(io, file, options.json ?? false)
  const milliseconds = performance.now() - started
  const data = { db: file, milliseconds, promises }
  show(io, { data, formatText: formatEnding(io, file, milliseconds) }, options.json)
  const broken = promises.filter(({ kept }) => !kept).length
  if (broken > 0)
    throw new CliError(
      `The demo found ${formatCount(broken, 'promise')} not kept; NOT KEPT marks them.`,
      EXIT.failure,
    )
}

/** Remembers the demo's conversations in a new file and opens the inspector on it. @throws CliError */
export async function showDemo(io: Io, options: DemoOptions): Promise<void> {
  const file = newFile(options)
  // `null`: the real time, once all conversations are remembered.
  const clock: { at: number | null } = { at: 0 }
  const work = async (keepsake: Keepsake): Promise<void> => {
    for (const [user, conversation] of Object.entries(CONVERSATIONS))
      await rememberConversation(
        keepsake.scope({ user }),
        readConversation(conversation),
        (time) => (clock.at = time),
      )
    clock.at = null
    await serveInspector(io, keepsake, { db: file, port: options.port, json: options.json })
  }
  await withOpened({ db: file }, work, { now: () => clock.at ?? Date.now() })
}

/** Returns the path of a database that does not exist yet. @throws CliError */
function newFile({ db }: DemoOptions): string {
  if (db === undefined) return join(mkdtempSync(join(tmpdir(), 'keepsake-demo-')), 'demo.db')
  if (isAddress(db)) throw wrongUsage('The demo needs its own file: set --db to a path, or leave it out.')
  if (existsSync(db))
    throw wrongUsage(`${db} exists already. The demo writes a new file, so that your data is not changed.`)
  return db
}

function playChapters(io: Io, file: string, isMuted: boolean): Promise<readonly DemoPromise[]> {
  const clock = { now: Date.now() }
  const play = async (memory: Keepsake): Promise<readonly DemoPromise[]> => {
    const person = (user: keyof typeof CONVERSATIONS, name: string) => ({
      name,
      memory: memory.scope({ user }),
      sessions: readConversation(CONVERSATIONS[user]),
    })
    const people = { english: person('maya', 'Maya'), chinese: person('xiaoyu', '林晓雨') }
    const stage = makeStage(io, { memory, file, ...people, clock }, isMuted)
    const { say, style } = stage
    stage.paragraph(WELCOME, '')
    for (const [index, { title, about, play: playChapter }] of CHAPTERS.entries()) {
      say('', style.bold(`${index + 1}  ${title}`), wrap(style.dim(about), style.width, '   '), '')
      await playChapter(stage)
    }
    return stage.promises
  }
  return withOpened({ db: file }, play, { now: () => clock.now })
}

/** Shows the duration, and what to try next. */
function formatEnding(io: Io, file: string, milliseconds: number): Shown['formatText'] {
  const keepsake = commandName(io)
  const commands = [
    `export KEEPSAKE_DB=${resolve(file)}`,
    `${keepsake} recall "Who is Daniel?"`,
    `${keepsake} recall "Where does Maya live?" --as-of 2026-03-20`,
    `${keepsake} persona`,
    `${keepsake} list --forms fact`,
    `${keepsake} run-forgetting --dry-run --keep 0.5`,
    `${keepsake} import --help`,
  ]
  return ({ bold, accent }) =>
    [
      '',
      bold(`That took ${formatMilliseconds(milliseconds)}.`),
      '',
      "Maya's memory is still there. Try:",
      '',
      ...commands.map((command) => `   ${accent(command)}`),
      '',
    ].join('\n')
}
