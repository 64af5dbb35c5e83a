import { Option, type Command } from '@commander-js/extra-typings'
import type { ModelTask } from 'keepsake'
import { PRESET_NAMES } from '@keepsake/papers/names'
import { seconds, wholeNumber } from './read-values.ts'
import type { Io } from './io.ts'

type Env = Io['env']

/** The engine's tasks of models. They are repeated here so that a help text does not load the engine; the type keeps both lists equal. */
export const MODEL_TASKS = Object.keys({
  extraction: true,
  story: true,
  summary: true,
  portrait: true,
  importance: true,
  recall: true,
  reply: true,
} satisfies Record<ModelTask, true>) as readonly ModelTask[]

/** Collects the values of an option that may be repeated. */
export const collect = (
  value: string,
  before: readonly string[] | undefined,
): readonly string[] | undefined => [...(before ?? []), value]

const modelOptions = (command: Command, env: Env) =>
  command
    .addOption(
      new Option('--model <spec>', 'the language model; also KEEPSAKE_MODEL').default(
        env['KEEPSAKE_MODEL'] || undefined,
      ),
    )
    .option(
      '--model-for <task=spec>',
      `a language model for one task (${MODEL_TASKS.join(', ')}); may be repeated`,
      collect,
    )
    .option(
      '--embedding <spec>',
      'the embedding model, or built-in (default: sentence-encoder:en if installed, else built-in)',
    )
    .option('--reranking <spec>', 'a model that reranks the results')
    .option('--model-timeout <seconds>', 'seconds to wait for one answer (default: 60)', seconds)
    .option('--budget-calls <n>', "model calls a day for one user's memory", wholeNumber(1, 1_000_000_000))
    .option(
      '--exchanges-per-extraction <n>',
      'exchanges that the model reads at a time (default: the preset’s setting)',
      wholeNumber(1, 1_000),
    )
    .option(
      '--guidelines <file>',
      'a JSON file with guidelines: {"keep": […], "never": […], "categories": {…}, "keys": {…}}',
    )
    .option(
      '--describe',
      'the model that replies describes pictures, so that recall finds them by their content',
    )

const personOptions = (command: Command, env: Env) =>
  command
    .addOption(
      new Option('--user <name>', 'the user; also KEEPSAKE_USER').default(env['KEEPSAKE_USER'] || undefined),
    )
    .addOption(tenantOption(env, 'the tenant of the user'))
    .option('--agent <name>', 'only the memory of this agent')
    .option('--app <name>', 'only the memory of this application')

export const tenantOption = (env: Env, what: string) =>
  new Option('--tenant <name>', `${what}; also KEEPSAKE_TENANT`).default(env['KEEPSAKE_TENANT'] || undefined)

const dbOption = (command: Command, env: Env) =>
  command
    .option(
      '--db <file>',
      'the database: a file, or the postgres:// or libsql:// address of a server; also KEEPSAKE_DB',
      env['KEEPSAKE_DB'] || './keepsake.db',
    )
    .addOption(erasureLogOption(env).hideHelp())

/** Accepted by every command that opens a database, and shown where it matters. */
export const erasureLogOption = (env: Env) =>
  new Option(
    '--erasure-log <file>',
    'where erasures are recorded (default: beside a database file; nowhere on a server); also KEEPSAKE_ERASURE_LOG',
  ).default(env['KEEPSAKE_ERASURE_LOG'] || undefined)

const presetOption = (command: Command) =>
  command.addOption(
    new Option('--preset <name>', 'how to remember and forget (default: "keepsake")').choices(PRESET_NAMES),
  )

/** Options shared by several commands, by name, in the order of `--help`. */
export const SHARED_OPTIONS = {
  models: modelOptions,
  person: personOptions,
  db: dbOption,
  preset: presetOption,
}

/** The parsed options that a function declares on a command. */
export type Declared<Declare extends (...args: never[]) => { opts(): unknown }> = ReturnType<
  ReturnType<Declare>['opts']
>

export interface SharedOptions {
  readonly models: Declared<typeof modelOptions>
  readonly person: Declared<typeof personOptions>
  readonly db: Declared<typeof dbOption>
  readonly preset: Declared<typeof presetOption>
}

export type ModelOptions = SharedOptions['models']
export type DatabaseOptions = SharedOptions['db'] & SharedOptions['preset']
/** Options that open a database and choose a user. */
export type ScopeOptions = DatabaseOptions & SharedOptions['person']
