import { existsSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Keepsake, ScopedMemory } from 'keepsake'
import { notFound, wrongUsage } from '../cli-error.ts'
import { READING } from '../chat/end-chat.ts'
import { runChat } from '../chat/run-chat.ts'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { MODEL_FORMS_INLINE, openModels, withModels, type ModelOptions } from '../model-options.ts'
import { chooseScope, withOpened } from '../open-database.ts'
import { progressFor } from '../output/progress.ts'
import { watchModels } from '../watch-models.ts'

interface Options extends ScopeOptions, ModelOptions {
  readonly instructions?: string
  readonly session?: string
}

/** What a person is called in a new database when no name is given. */
const NAMELESS = 'me'

export function chatCommand(io: Io): Command {
  const command = new Command('chat')
    .summary('talk with a model that remembers')
    .description(
      'Talks with a language model that remembers: it recalls before each reply and learns from the talk, across runs. Shows what it recalled and learned. A line is a turn; lines can come from a pipe.',
    )
    .option('--session <id>', 'go on with this session, or start it under this name')
    .option('--instructions <text>', 'who the agent is and how it talks; @FILE reads a file')
  withScope(
    withModels(command, io).addHelpText(
      'after',
      examples(
        'keepsake chat --model ollama:qwen3:8b --user maya',
        'keepsake chat --model openai:gpt-5-mini --user maya --agent Juno --instructions @juno.txt',
        'echo "Where did I leave my bike?" | keepsake chat --user maya --json',
      ),
    ),
    io,
    'one JSON object a line: replies, what was learned',
  )
  describe(command, '--agent', "the agent's name; each agent has a memory of its own")
  describe(command, '--read-every', 'rounds of talk the model reads at a time (default: 1)')
  return command.action((options: Options) => chat(io, options))
}

/** Says what an option means here. */
function describe(command: Command, name: string, meaning: string): void {
  const option = command.options.find(({ long }) => long === name)
  if (option !== undefined) option.description = meaning
}

async function chat(io: Io, options: Options): Promise<void> {
  const { model, agent, session } = options
  if (model === undefined) {
    throw wrongUsage(
      `A chat needs a language model: --model (or KEEPSAKE_MODEL) with ${MODEL_FORMS_INLINE}. Without one, "keepsake recall" answers with what was said.`,
    )
  }
  const instructions = readInstructions(options.instructions)
  const isJson = options.json === true
  const progress = progressFor(io, isJson)
  const opened = await openModels(io, { ...options, ...cadenceOf(options) })
  const models = watchModels(opened, progress, READING)
  await withOpened(
    options,
    async (memory) => {
      const scope = await chatScope(memory, options)
      const settings = { model, agent: agent ?? null, instructions, session: session ?? null }
      await runChat(io, memory, scope, settings, { isJson, progress })
    },
    models,
  )
}

/**
 * Who talks wants to see what was learned of it. The default preset waits for many rounds, to save calls; the published
 * ones keep their own cadence.
 */
function cadenceOf({ preset = 'keepsake', readEvery }: Options): Pick<ModelOptions, 'readEvery'> {
  if (readEvery !== undefined || preset !== 'keepsake') return {}
  return { readEvery: 1 }
}

function readInstructions(given: string | undefined): string | null {
  if (given === undefined) return null
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  if (!existsSync(file)) throw notFound(`There is no file ${file} to read instructions from.`)
  return readFileSync(file, 'utf8')
}

/** Unlike other commands, a talk may begin with somebody nobody knows yet. */
async function chatScope(memory: Keepsake, options: Options): Promise<ScopedMemory> {
  const { user, tenant, agent, app } = options
  if (user === undefined && (await memory.scopes()).length > 0) {
    const { agent: _agent, app: _app, ...anyone } = options
    const { key } = await chooseScope(memory, anyone)
    return chatScope(memory, {
      ...options,
      user: key.user,
      ...(key.tenant === undefined ? {} : { tenant: key.tenant }),
    })
  }
  return memory.scope({
    user: user ?? NAMELESS,
    ...(tenant === undefined ? {} : { tenant }),
    ...(agent === undefined ? {} : { agent }),
    ...(app === undefined ? {} : { app }),
  })
}
