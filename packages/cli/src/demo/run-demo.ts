import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Keepsake } from 'keepsake'
import type { PresetName } from '@keepsake/papers'
import { given } from '@keepsake/text/names'
import { CliError, wrongUsage } from '../cli-error.ts'
import { serveInspector } from '../inspecting/serve-inspector.ts'
import type { Io } from '../io.ts'
import { modelName, type OpenedModels } from '../model-options.ts'
import { discardDatabase, isAddress, withOpened } from '../open-database.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import { commandName, show, type Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { wrap } from '../output/style.ts'
import { CallTally, watchModels } from '../watch-calls.ts'
import { CHAPTERS, READING, showCost } from './chapters.ts'
import { makeStage, readConversation, rememberConversation, type Stage } from './stage.ts'

export interface DemoOptions {
  /** The path of a new database. A temporary folder when absent. */
  readonly db?: string
  /** Whether the database stays for the commands shown at the end. */
  readonly keep: boolean
  readonly json?: boolean
  /** The port of the page; 0 for any. */
  readonly port?: number
  readonly preset?: PresetName
  readonly model?: string | undefined
}

const WELCOME =
  'Keepsake remembers conversations: the messages, facts about the user, what changed, and what can be forgotten.'
const WITHOUT_MODEL =
  'Everything below runs now on this machine, with no key, no server and no language model.'
const WITH_MODEL = 'Everything below runs now; facts, story and portrait are written by'

/** Plays all chapters on two included conversations. @throws CliError when a promise was not kept. */
export function runDemo(io: Io, options: DemoOptions, models: OpenedModels = {}): Promise<void> {
  return withNewFile(options, async (file) => {
    const started = performance.now()
    const { facts, promises } = await playAll(io, file, options, models)
    const milliseconds = performance.now() - started
    const data = { db: options.keep ? file : null, milliseconds, promises, ...facts }
    show(io, { data, formatText: formatEnding(io, file, options, milliseconds) }, options.json)
    const broken = promises.filter(({ kept, upTo }) => !kept && upTo === null)
    if (broken.length > 0)
      throw new CliError(
        `The demo found ${formatCount(broken.length, 'promise')} not kept; NOT KEPT marks them.`,
        1,
      )
  })
}

/** The users of the demo, and the files of their conversations. */
const CONVERSATIONS = { maya: 'maya-en.jsonl', xiaoyu: 'xiaoyu-zh.jsonl', maud: 'maud-en.jsonl' } as const

/** Remembers the demo's conversations in a new file and opens the inspector on it. @throws CliError */
export function showDemo(io: Io, options: DemoOptions, models: OpenedModels = {}): Promise<void> {
  return withNewFile(options, async (file) => {
    const clock: { at: number | null } = { at: 0 }
    const work = async (keepsake: Keepsake): Promise<void> => {
      for (const [user, conversation] of Object.entries(CONVERSATIONS))
        await rememberConversation(
          keepsake.scope({ user }),
          readConversation(conversation),
          (time) => (clock.at = time),
        )
      clock.at = null
      await serveInspector(io, keepsake, {
        db: file,
        port: options.port ?? 0,
        json: options.json,
        model: models.model,
      })
    }
    const settings = { ...models, now: () => clock.at ?? Date.now() }
    await withOpened({ db: file, ...given({ preset: options.preset }) }, work, settings)
  })
}

async function withNewFile({ db, keep }: DemoOptions, work: (file: string) => Promise<void>): Promise<void> {
  if (db !== undefined && isAddress(db))
    throw wrongUsage('The demo needs its own file: set --db to a path, or leave it out.')
  if (db !== undefined && existsSync(db))
    throw wrongUsage(`${db} exists already. The demo writes a new file, so that your data is not changed.`)
  const file = db ?? join(mkdtempSync(join(tmpdir(), 'keepsake-demo-')), 'demo.db')
  try {
    await work(file)
  } finally {
    if (!keep && db !== undefined) discardDatabase(db)
    else if (!keep) rmSync(dirname(file), { recursive: true, force: true })
  }
}

async function playAll(
  io: Io,
  file: string,
  { json = false, preset, model: spec }: DemoOptions,
  models: OpenedModels,
): Promise<{ facts: Record<string, unknown>; promises: Stage['promises'] }> {
  const clock = { now: Date.now() }
  const progress = progressFor(io, json || spec === undefined)
  const work = async (memory: Keepsake) => {
    const model = spec === undefined ? null : { name: modelName(spec), tally: new CallTally(memory) }
    const person = (user: keyof typeof CONVERSATIONS, name: string) => ({
      user,
      name,
      memory: memory.scope({ user }),
      sessions: readConversation(CONVERSATIONS[user]),
    })
    const people = { english: person('maya', 'Maya'), chinese: person('xiaoyu', '林晓雨') }
    const stage = makeStage(io, { memory, file, ...people, clock, model, progress }, json)
    const introduction = model === null ? WITHOUT_MODEL : `${WITH_MODEL} ${model.name}.`
    stage.paragraph(`${WELCOME} ${introduction}`, '')
    const facts = await playChapters(stage)
    const cost = model === null ? {} : { model: await showCost(stage, model) }
    return { facts: { ...facts, ...cost }, promises: stage.promises }
  }
  const settings = { now: () => clock.now, ...watchModels(models, progress, READING) }
  return withOpened({ db: file, ...given({ preset }) }, work, settings)
}

async function playChapters(stage: Stage): Promise<Record<string, unknown>> {
  const { say, style } = stage
  const facts: Record<string, unknown> = {}
  const chapters = Object.entries(CHAPTERS).filter(([, { isShown }]) => isShown?.(stage) ?? true)
  for (const [index, [name, { title, about, play }]] of chapters.entries()) {
    const introduction = typeof about === 'string' ? about : about(stage)
    say('', style.bold(`${index + 1}  ${title}`), wrap(style.dim(introduction), style.width, '   '), '')
    facts[name] = await play(stage)
  }
  return facts
}

/** Shows the duration, and what to try next. */
function formatEnding(
  io: Io,
  file: string,
  { keep, preset, model }: DemoOptions,
  milliseconds: number,
): Shown['formatText'] {
  const keepsake = commandName(io)
  const presetOption = preset === undefined ? '' : ` --preset ${preset}`
  const commands = [
    `export KEEPSAKE_DB=${resolve(file)}`,
    `${keepsake} recall "Who is Daniel?"${presetOption}`,
    `${keepsake} recall "Where does Maya live?" --as-of 2026-03-20 --parts${presetOption}`,
    `${keepsake} persona${presetOption}`,
    `${keepsake} list --forms fact${presetOption}`,
    `${keepsake} run-forgetting --dry-run --keep 0.5${presetOption}`,
    ...(model === undefined ? [] : [`${keepsake} chat --model ${model}${presetOption}`]),
    `${keepsake} import --help`,
  ]
  return ({ bold, accent }) => {
    const next = keep
      ? ["Maya's memory is still there. Try:", '', ...commands.map((command) => `   ${accent(command)}`), '']
      : [`Try it on your own conversations: ${keepsake} import --help`]
    return ['', bold(`That took ${formatMilliseconds(milliseconds)}.`), '', ...next].join('\n')
  }
}
