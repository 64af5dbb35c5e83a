import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CliError, wrongUsage } from '../cli-error.ts'
import type { PresetName } from 'keepsake'
import { modelName, type OpenedModels } from '../model-options.ts'
import { withOpened } from '../open-database.ts'
import type { Io } from '../io.ts'
import { print, printJson } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { styleFor, wrap } from '../output/style.ts'
import { CallTally } from '../watch-calls.ts'
import { watchModels } from '../watch-models.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import { change } from './chapters/change.ts'
import { erase } from './chapters/erase.ts'
import { explain } from './chapters/explain.ts'
import { forgetRequest } from './chapters/forget-request.ts'
import { know } from './chapters/know.ts'
import { letGo } from './chapters/let-go.ts'
import { recall } from './chapters/recall.ts'
import { READING, remember } from './chapters/remember.ts'
import { tell } from './chapters/tell.ts'
import { readConversation } from './read-conversation.ts'
import { tellCost } from './tell-cost.ts'
import { announce, makeStage, type Chapter, type Stage } from './stage.ts'

export interface DemoOptions {
  /** Where the database goes: a new file. A temporary folder when absent. */
  readonly db?: string
  /** Whether the database stays for the commands that the demo ends with. */
  readonly keep: boolean
  readonly json: boolean
  readonly preset?: PresetName
  /** What to open the memory with, and the model as it was named. */
  readonly models?: OpenedModels
  readonly model?: string
}

const CHAPTERS: Readonly<Record<string, Chapter>> = {
  remember,
  know,
  tell,
  recall,
  change,
  forgetRequest,
  letGo,
  explain,
  erase,
}

const WELCOME =
  'Keepsake remembers conversations: what was said, what it means about a person, what has changed, and what may be let go.'
const WITHOUT_MODEL =
  'Everything below happens now, on this machine, with no key, no server and no language model.'
const WITH_MODEL = 'Everything below happens now; facts, story and portrait are written by'

/** Tells the whole story on two conversations that the project ships. @throws CliError when a promise was not kept. */
export async function runDemo(io: Io, options: DemoOptions): Promise<void> {
  if (options.db !== undefined && existsSync(options.db)) {
    throw wrongUsage(
      `${options.db} exists already; the demo goes into a new file, so that it changes nothing of yours.`,
    )
  }
  const started = performance.now()
  const file = options.db ?? join(mkdtempSync(join(tmpdir(), 'keepsake-demo-')), 'demo.db')
  try {
    const { facts, promises } = await tellAll(io, file, options)
    const broken = promises.filter(({ kept, upTo }) => !kept && upTo === null)
    const milliseconds = performance.now() - started
    if (options.json) printJson(io, { db: options.keep ? file : null, milliseconds, promises, ...facts })
    else print(io, ...ending(io, file, options, milliseconds))
    if (broken.length > 0)
      throw new CliError(
        `The demo found ${formatCount(broken.length, 'promise')} not kept; NOT KEPT marks them.`,
        1,
      )
  } finally {
    if (!options.keep) removeDatabase(file, options.db === undefined)
  }
}

async function tellAll(
  io: Io,
  file: string,
  { json, preset, model, models = {} }: DemoOptions,
): Promise<{ facts: Record<string, unknown>; promises: Stage['promises'] }> {
  const clock = { now: Date.now() }
  const english = readConversation('maya-en.jsonl', 'maya', 'Maya')
  const chinese = readConversation('xiaoyu-zh.jsonl', 'xiaoyu', '林晓雨')
  const progress = progressFor(io, json || model === undefined)
  return withOpened(
    { db: file, ...(preset === undefined ? {} : { preset }) },
    async (memory) => {
      const stageModel = model === undefined ? null : { name: modelName(model), tally: new CallTally(memory) }
      const parts = { memory, file, english, chinese, clock, model: stageModel, progress }
      const stage = makeStage(io, parts, json)
      const how = model === undefined ? WITHOUT_MODEL : `${WITH_MODEL} ${modelName(model)}.`
      stage.say(wrap(`${WELCOME} ${how}`, stage.style.width))
      const facts = await tellChapters(stage)
      if (stageModel === null) return { facts, promises: stage.promises }
      return { facts: { ...facts, model: await tellCost(stage, stageModel) }, promises: stage.promises }
    },
    { now: () => clock.now, ...watchModels(models, progress, READING) },
  )
}

async function tellChapters(stage: Stage): Promise<Record<string, unknown>> {
  const facts: Record<string, unknown> = {}
  const told = Object.entries(CHAPTERS).filter(([, { isTold }]) => isTold?.(stage) ?? true)
  for (const [index, [name, chapter]] of told.entries()) {
    announce(stage, index + 1, chapter)
    facts[name] = await chapter.tell(stage)
  }
  return facts
}

function ending(io: Io, file: string, options: DemoOptions, milliseconds: number): string[] {
  const style = styleFor(io)
  const keepsake = io.env['npm_command'] === undefined ? 'keepsake' : 'npx keepsake'
  const done = ['', style.bold(`That took ${formatMilliseconds(milliseconds)}.`)]
  if (!options.keep) return [...done, '', `Try it on talk of your own: ${keepsake} import --help`]
  const commands = [
    `export KEEPSAKE_DB=${resolve(file)}`,
    `${keepsake} recall "Who is Daniel?"`,
    `${keepsake} recall "Where does Maya live?" --as-of 2026-03-20 --parts`,
    `${keepsake} persona`,
    `${keepsake} list --forms fact`,
    `${keepsake} forgetting --dry-run --keep 0.5`,
    ...(options.model === undefined ? [] : [`${keepsake} chat --model ${options.model}`]),
    `${keepsake} import --help`,
  ].map((command) => (options.preset === undefined ? command : withPreset(command, options.preset)))
  return [
    ...done,
    '',
    `Maya's memory is still there. Try:`,
    '',
    ...commands.map((command) => `   ${style.accent(command)}`),
    '',
  ]
}

/** Another preset would read the same talk in its own way. */
const withPreset = (command: string, preset: PresetName): string =>
  / (?:recall|persona|list|forgetting|chat) ?/.test(command) ? `${command} --preset ${preset}` : command

function removeDatabase(file: string, isOurFolder: boolean): void {
  if (isOurFolder) rmSync(dirname(file), { recursive: true, force: true })
  else for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
