import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { MakeCommand } from './define-command.ts'
import { EXIT_CODES_HELP } from './exit-codes.ts'
import type { Io } from './io.ts'

type LoadCommand = () => Promise<MakeCommand>

const change = () => import('./commands/change.ts')
const keep = () => import('./commands/keep.ts')
const show = () => import('./commands/show.ts')

/** By name, in the order of the help. A command is loaded when it is called, or when all of them are to be told of. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Start:': {
    demo: async () => (await import('./commands/demo.ts')).demoCommand,
    chat: async () => (await import('./commands/chat.ts')).chatCommand,
    import: async () => (await import('./commands/import.ts')).importCommand,
    inspect: async () => (await import('./commands/inspect.ts')).inspectCommand,
  },
  'Ask:': {
    recall: async () => (await import('./commands/recall.ts')).recallCommand,
    list: async () => (await import('./commands/list.ts')).listCommand,
    persona: async () => (await show()).personaCommand,
    portrait: async () => (await show()).portraitCommand,
    story: async () => (await show()).storyCommand,
    why: async () => (await show()).whyCommand,
  },
  'Change:': {
    state: async () => (await change()).stateCommand,
    edit: async () => (await change()).editCommand,
    forget: async () => (await change()).forgetCommand,
    restore: async () => (await change()).restoreCommand,
    quarantine: async () => (await change()).quarantineCommand,
    pin: async () => (await change()).pinCommand,
    undo: async () => (await change()).undoCommand,
    confirm: async () => (await change()).confirmCommand,
    forgetting: async () => (await import('./commands/forgetting.ts')).forgettingCommand,
    erase: async () => (await import('./commands/erase.ts')).eraseCommand,
  },
  'Keep:': {
    export: async () => (await keep()).exportCommand,
    backup: async () => (await keep()).backupCommand,
    stats: async () => (await keep()).statsCommand,
    scopes: async () => (await keep()).scopesCommand,
    jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
    'put-back': async () => (await import('./commands/put-back.ts')).putBackCommand,
    erasures: async () => (await import('./commands/erasures.ts')).erasuresCommand,
    migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  'Serve:': {
    serve: async () => (await import('./commands/serve.ts')).serveCommand,
    keys: async () => (await import('./commands/keys.ts')).keysCommand,
    webhooks: async () => (await import('./commands/webhooks.ts')).webhooksCommand,
    audit: async () => (await import('./commands/audit.ts')).auditCommand,
    mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  'Measure:': {
    bench: async () => (await import('./commands/bench.ts')).benchCommand,
  },
  'Learn:': {
    train: async () => (await import('./commands/train.ts')).trainCommand,
  },
}

const EXAMPLES = `
Examples:
  $ keepsake demo
  $ keepsake import chats.jsonl --user maya
  $ keepsake recall "Where does Maya live?" --user maya
  $ keepsake why 4f1c09ab --user maya
  $ keepsake chat --model ollama:qwen3:8b --user maya
  $ keepsake inspect chats.db
  $ keepsake serve --unlocked

${EXIT_CODES_HELP}`

/**
 * The command line. Output and errors go through `io`; Commander never ends the process.
 *
 * @param first the first argument: where it names a command, that one alone is loaded
 */
export async function buildProgram(io: Io, first?: string): Promise<Command> {
  const program = new Command('keepsake')
    .description('Long-term memory for conversations: remember, recall, change, forget, explain, erase.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  for (const { heading, make } of await loadCommands(first)) program.addCommand(make(io).helpGroup(heading))
  const help = new Command('help').argument('[command...]').description('show the help of a command')
  program.addCommand(
    help.helpGroup('Help:').action(async (names: string[]) => {
      await program.parseAsync([...names, '--help'], { from: 'user' })
    }),
  )
  program.hook('preSubcommand', async (_program, command) => {
    if (command.name() !== 'bench') return
    const { addBenchCommands } = await import('./commands/bench.ts')
    await addBenchCommands(command, io)
    settle(command, io)
  })
  settle(program, io)
  return program
}

/** The one that is called; none for the version, and all where their list may be printed or a name is to be guessed. */
async function loadCommands(first: string | undefined) {
  const all = Object.entries(GROUPS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ heading, name, load })),
  )
  const called = all.filter(({ name }) => name === first)
  const wanted = first === '--version' || called.length > 0 ? called : all
  return Promise.all(wanted.map(async ({ heading, load }) => ({ heading, make: await load() })))
}

/** What every command, however deep, shares: where it writes and how it fails. */
function settle(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError(`Try "${fullName(command)} --help".`)
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'keepsake: ')),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  for (const child of command.commands) settle(child, io)
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
