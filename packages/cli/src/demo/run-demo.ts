import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Keepsake } from 'keepsake'
import type { PresetName } from '@keepsake/papers'
import { CliError, wrongUsage } from '../cli-error.ts'
import { given } from '../given.ts'
import type { Io } from '../io.ts'
import { modelName, type OpenedModels } from '../model-options.ts'
import { withOpened } from '../open-database.ts'
import { calledAs } from '../output/called-as.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import { show, type Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { wrap } from '../output/style.ts'
import { CallTally, watchModels } from '../watch-calls.ts'
import { change } from './chapters/change.ts'
import { everyday } from './chapters/everyday.ts'
import { erase } from './chapters/erase.ts'
import { explain } from './chapters/explain.ts'
import { forgetRequest } from './chapters/forget-request.ts'
import { know } from './chapters/know.ts'
import { letGo } from './chapters/let-go.ts'
import { recall } from './chapters/recall.ts'
import { READING, remember } from './chapters/remember.ts'
import { tell } from './chapters/tell.ts'
import { readConversation } from './read-conversation.ts'
import { makeStage, type Chapter, type Stage } from './stage.ts'
import { tellCost } from './tell-cost.ts'
import { isAddress } from '../postgres-address.ts'

export interface DemoOptions {
  /** Where the database goes: a new file. A temporary folder when absent. */
  readonly db?: string
  /** Whether the database stays for the commands that the demo ends with. */
  readonly keep: boolean
  readonly json?: boolean
  readonly preset?: PresetName
  /** The model as it was named. */
  readonly model?: string | undefined
}

const CHAPTERS: Readonly<Record<string, Chapter>> = {
  remember,
  know,
  tell,
  recall,
  everyday,
  change,
  forgetRequest,
  letGo,
  explain,
  erase,
}

const WELCOME =
  'Keepsake remembers conversations: the messages, facts about the user, what changed, and what can be forgotten.'
const WITHOUT_MODEL =
  'Everything below runs now on this machine, with no key, no server and no language model.'
const WITH_MODEL = 'Everything below runs now; facts, story and portrait are written by'

/** Tells the whole story on two conversations that the project ships. @throws CliError when a promise was not kept. */
export async function runDemo(io: Io, options: DemoOptions, models: OpenedModels = {}): Promise<void> {
  const { db, keep } = options
  if (db !== undefined && isAddress(db))
    throw wrongUsage('The demo needs its own file: set --db to a path, or leave it out.')
  if (db !== undefined && existsSync(db)) {
    throw wrongUsage(`${db} exists already. The demo writes a new file, so that your data is not changed.`)
  }
  const started = performance.now()
  const file = db ?? join(mkdtempSync(join(tmpdir(), 'keepsake-demo-')), 'demo.db')
  try {
    const { facts, promises } = await tellAll(io, file, options, models)
    const milliseconds = performance.now() - started
    const data = { db: keep ? file : null, milliseconds, promises, ...facts }
    show(io, { data, words: ending(io, file, options, milliseconds) }, options.json)
    const broken = promises.filter(({ kept, upTo }) => !kept && upTo === null)
    if (broken.length > 0)
      throw new CliError(
        `The demo found ${formatCount(broken.length, 'promise')} not kept; NOT KEPT marks them.`,
        1,
      )
  } finally {
    if (!keep) removeDatabase(file, db === undefined)
  }
}

async function tellAll(
  io: Io,
  file: string,
  { json = false, preset, model: spec }: DemoOptions,
  models: OpenedModels,
): Promise<{ facts: Record<string, unknown>; promises: Stage['promises'] }> {
  const clock = { now: Date.now() }
  const progress = progressFor(io, json || spec === undefined)
  const work = async (memory: Keepsake) => {
    const model = spec === undefined ? null : { name: modelName(spec), tally: new CallTally(memory) }
    const person = (user: string, name: string, conversation: string) => ({
      user,
      name,
      memory: memory.scope({ user }),
      sessions: readConversation(conversation),
    })
    const english = person('maya', 'Maya', 'maya-en.jsonl')
    const chinese = person('xiaoyu', '林晓雨', 'xiaoyu-zh.jsonl')
    const stage = makeStage(io, { memory, file, english, chinese, clock, model, progress }, json)
    const how = model === null ? WITHOUT_MODEL : `${WITH_MODEL} ${model.name}.`
    stage.paragraph(`${WELCOME} ${how}`, '')
    const facts = await tellChapters(stage)
    const cost = model === null ? {} : { model: await tellCost(stage, model) }
    return { facts: { ...facts, ...cost }, promises: stage.promises }
  }
  const more = { now: () => clock.now, ...watchModels(models, progress, READING) }
  return withOpened({ db: file, ...given({ preset }) }, work, more)
}

async function tellChapters(stage: Stage): Promise<Record<string, unknown>> {
  const { say, style } = stage
  const facts: Record<string, unknown> = {}
  const told = Object.entries(CHAPTERS).filter(([, { isTold }]) => isTold?.(stage) ?? true)
  for (const [index, [name, { title, about, tell: tellChapter }]] of told.entries()) {
    const words = typeof about === 'string' ? about : about(stage)
    say('', style.bold(`${index + 1}  ${title}`), wrap(style.dim(words), style.width, '   '), '')
    facts[name] = await tellChapter(stage)
  }
  return facts
}

/** How long it took, and what to try next. */
function ending(
  io: Io,
  file: string,
  { keep, preset, model }: DemoOptions,
  milliseconds: number,
): Shown['words'] {
  const keepsake = calledAs(io)
  // Another preset would read the same talk in its own way.
  const on = preset === undefined ? '' : ` --preset ${preset}`
  const commands = [
    `export KEEPSAKE_DB=${resolve(file)}`,
    `${keepsake} recall "Who is Daniel?"${on}`,
    `${keepsake} recall "Where does Maya live?" --as-of 2026-03-20 --parts${on}`,
    `${keepsake} persona${on}`,
    `${keepsake} list --forms fact${on}`,
    `${keepsake} forgetting --dry-run --keep 0.5${on}`,
    ...(model === undefined ? [] : [`${keepsake} chat --model ${model}${on}`]),
    `${keepsake} import --help`,
  ]
  return ({ bold, accent }) =>
    [
      '',
      bold(`That took ${formatMilliseconds(milliseconds)}.`),
      '',
      ...(keep
        ? [
            `Maya's memory is still there. Try:`,
            '',
            ...commands.map((command) => `   ${accent(command)}`),
            '',
          ]
        : [`Try it on your own conversations: ${keepsake} import --help`]),
    ].join('\n')
}

function removeDatabase(file: string, isOurFolder: boolean): void {
  if (isOurFolder) rmSync(dirname(file), { recursive: true, force: true })
  else for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
