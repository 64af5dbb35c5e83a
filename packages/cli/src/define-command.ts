import type { Command as TypedCommand, CommandUnknownOpts } from '@commander-js/extra-typings'
import { Command } from 'commander'
import type { Keepsake, ScopedMemory } from 'keepsake'
import type { Io } from './io.ts'
import { MODEL_FORMS_HELP, openModels } from './model-options.ts'
import { chooseScope, withExisting } from './open-database.ts'
import { fitted, show, type Shown } from './output/print.ts'
import {
  SHARED_OPTIONS,
  type DatabaseOptions,
  type ScopeOptions,
  type SharedOptions,
} from './shared-options.ts'

/** Makes a command that uses `io` for input and output. */
export type MakeCommand = (io: Io) => Command

type SharedName = keyof SharedOptions
/** `A & B` of `A | B`. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Both) => void
  ? Both
  : never
/** All options of a command: its own, shared ones, and those of every command. */
export type OptionsOf<Own, Taken extends SharedName> = Own &
  All<SharedOptions[Taken]> & { readonly json?: boolean; readonly debug?: boolean }

interface Declaration<Made extends CommandUnknownOpts> {
  readonly name: string
  /** For the list of all commands, where the description is too long. */
  readonly summary?: string
  readonly description: string
  /** Adds its arguments and its own options. */
  readonly declare?: (command: TypedCommand, io: Io) => Made
  /** What `--json` prints, unless one JSON object; `null` where there is no `--json`. */
  readonly json?: string | null
  /** Help between the options and the examples. */
  readonly details?: string
  readonly examples: readonly string[]
}

type Run<Context, Made extends CommandUnknownOpts> = (
  context: Context,
  ...args: Made['processedArgs']
) => Promise<Shown | void>

/** Defines a command. The result of `run` is shown: its data with `--json`, else its words. */
export function defineCommand<Taken extends SharedName, Made extends CommandUnknownOpts = TypedCommand>({
  takes,
  run,
  ...declared
}: Declaration<Made> & {
  /** Options that it shares with others. */
  readonly takes: readonly Taken[]
  readonly run: Run<{ io: Io; options: OptionsOf<ReturnType<Made['opts']>, Taken> }, Made>
}): MakeCommand {
  return (io) => {
    const command = makeCommand(io, takes, declared)
    return command.action(async () => {
      const options = command.opts<OptionsOf<ReturnType<Made['opts']>, Taken>>()
      const shown = await run({ io, options }, ...command.processedArgs)
      if (shown !== undefined) show(io, shown, options.json)
    })
  }
}

function makeCommand<Made extends CommandUnknownOpts>(
  io: Io,
  takes: readonly SharedName[],
  {
    name,
    summary = '',
    description,
    declare,
    json = 'one JSON object',
    details = '',
    examples,
  }: Declaration<Made>,
): Command {
  const command = new Command(name).summary(summary).description(description)
  // The same class twice: Commander's own types do not know the declared options.
  const typed = (command: Command): TypedCommand => command as unknown as TypedCommand
  const shared = new Command()
  declare?.(typed(command), io)
  for (const take of takes) SHARED_OPTIONS[take](typed(shared), io.env)
  if (json !== null) shared.option('--json', `print ${json} and nothing else`)
  for (const option of shared.option('--debug', 'show the stack of an error').options) {
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option)
  }
  const models = takes.includes('models') ? MODEL_FORMS_HELP : ''
  const lines = examples.map((line) => `  $ ${line}`).join('\n')
  const ending = `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines}`
  const after = [details, models, ending].filter(Boolean).join('\n')
  return command.addHelpText('after', () => fitted(io.stdout, after))
}

export function databaseCommand<Made extends CommandUnknownOpts = TypedCommand>({
  run,
  ...declared
}: Declaration<Made> & {
  readonly run: Run<{ memory: Keepsake; io: Io; options: ReturnType<Made['opts']> & DatabaseOptions }, Made>
}): MakeCommand {
  return defineCommand({
    ...declared,
    takes: ['db', 'preset'],
    run: ({ io, options }, ...args) =>
      withExisting(options, (memory) => run({ memory, io, options }, ...args)),
  })
}

/** Defines a command on one user's memory in an existing database. */
export function scopeCommand<Made extends CommandUnknownOpts = TypedCommand>({
  models = false,
  run,
  ...declared
}: Declaration<Made> & {
  readonly models?: boolean
  readonly run: Run<
    {
      scope: ScopedMemory
      io: Io
      options: ReturnType<Made['opts']> & ScopeOptions & { readonly json?: boolean }
    },
    Made
  >
}): MakeCommand {
  return defineCommand({
    ...declared,
    takes: [...(models ? ['models' as const] : []), 'person', 'db', 'preset'],
    async run({ io, options }, ...args) {
      const opened = await openModels(io, options)
      return withExisting(
        options,
        async (memory) => run({ scope: await chooseScope(memory, options), io, options }, ...args),
        opened,
      )
    },
  })
}
