import type { Command as TypedCommand, CommandUnknownOpts } from '@commander-js/extra-typings'
import { Command } from 'commander'
import type { Keepsake, ScopedMemory } from 'keepsake'
import type { Io } from './io.ts'
import { MODEL_FORMS_HELP, openModels } from './model-options.ts'
import { chooseScope, withExisting } from './open-database.ts'
import { fitToWidth, show, type Shown } from './output/print.ts'
import {
  SHARED_OPTIONS,
  type DatabaseOptions,
  type ScopeOptions,
  type SharedOptions,
} from './shared-options.ts'

/** Makes a command that uses `io` for input and output. */
export type MakeCommand = (io: Io) => Command

type SharedName = keyof SharedOptions
/** Turns a union `A | B` into the intersection `A & B`, so that a command has the options of all its shared groups. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer Both,
) => void
  ? Both
  : never
/** All options of a command: its own, shared ones, and those of every command. */
export type OptionsOf<Own, SharedOption extends SharedName> = Own &
  Intersection<SharedOptions[SharedOption]> & { readonly json?: boolean; readonly debug?: boolean }

interface Declaration<ParsedCommand extends CommandUnknownOpts> {
  readonly name: string
  /** A short description for the list of all commands. */
  readonly summary?: string
  readonly description: string
  /** Adds the command's arguments and its own options. */
  readonly declare?: (command: TypedCommand, io: Io) => ParsedCommand
  /** Describes the output of `--json`; `null` if the command has no `--json`. Default: “one JSON object”. */
  readonly json?: string | null
  /** A help text between the options and the examples. */
  readonly details?: string
  readonly examples: readonly string[]
}

type Run<Context, ParsedCommand extends CommandUnknownOpts> = (
  context: Context,
  ...args: ParsedCommand['processedArgs']
) => Promise<Shown | void>

/** Defines a command. Prints the result of `run`: its data with `--json`, else its text. */
export function defineCommand<
  SharedOption extends SharedName,
  ParsedCommand extends CommandUnknownOpts = TypedCommand,
>({
  sharedOptions,
  run,
  ...declared
}: Declaration<ParsedCommand> & {
  /** Groups of options that several commands have. */
  readonly sharedOptions: readonly SharedOption[]
  readonly run: Run<
    { io: Io; options: OptionsOf<ReturnType<ParsedCommand['opts']>, SharedOption> },
    ParsedCommand
  >
}): MakeCommand {
  return (io) => {
    const command = makeCommand(io, sharedOptions, declared)
    return command.action(async () => {
      const options = command.opts<OptionsOf<ReturnType<ParsedCommand['opts']>, SharedOption>>()
      const result = await run({ io, options }, ...command.processedArgs)
      if (result !== undefined) show(io, result, options.json)
    })
  }
}

function makeCommand<ParsedCommand extends CommandUnknownOpts>(
  io: Io,
  sharedOptions: readonly SharedName[],
  {
    name,
    summary = '',
    description,
    declare,
    json = 'one JSON object',
    details = '',
    examples,
  }: Declaration<ParsedCommand>,
): Command {
  const command = new Command(name).summary(summary).description(description)
  // Both packages contain the same class, but only the types of `extra-typings` know the declared options.
  const typed = (command: Command): TypedCommand => command as unknown as TypedCommand
  const shared = new Command()
  declare?.(typed(command), io)
  for (const group of sharedOptions) SHARED_OPTIONS[group](typed(shared), io.env)
  if (json !== null) shared.option('--json', `print ${json} and nothing else`)
  for (const option of shared.option('--debug', 'show the stack of an error').options) {
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option)
  }
  const models = sharedOptions.includes('models') ? MODEL_FORMS_HELP : ''
  const lines = examples.map((line) => `  $ ${line}`).join('\n')
  const ending = `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines}`
  const helpText = [details, models, ending].filter(Boolean).join('\n')
  return command.addHelpText('after', () => fitToWidth(io.stdout, helpText))
}

/** Defines a command on an existing database. */
export function databaseCommand<ParsedCommand extends CommandUnknownOpts = TypedCommand>({
  run,
  ...declared
}: Declaration<ParsedCommand> & {
  readonly run: Run<
    { memory: Keepsake; io: Io; options: ReturnType<ParsedCommand['opts']> & DatabaseOptions },
    ParsedCommand
  >
}): MakeCommand {
  return defineCommand({
    ...declared,
    sharedOptions: ['db', 'preset'],
    run: ({ io, options }, ...args) =>
      withExisting(options, (memory) => run({ memory, io, options }, ...args)),
  })
}

/** Defines a command on one user's memory in an existing database. */
export function scopeCommand<ParsedCommand extends CommandUnknownOpts = TypedCommand>({
  models = false,
  run,
  ...declared
}: Declaration<ParsedCommand> & {
  readonly models?: boolean
  readonly run: Run<
    {
      scope: ScopedMemory
      io: Io
      options: ReturnType<ParsedCommand['opts']> & ScopeOptions & { readonly json?: boolean }
    },
    ParsedCommand
  >
}): MakeCommand {
  return defineCommand({
    ...declared,
    sharedOptions: [...(models ? ['models' as const] : []), 'person', 'db', 'preset'],
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
