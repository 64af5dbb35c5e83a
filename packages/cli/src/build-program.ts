import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addBenchCommands, benchCommand } from './commands/bench.ts'
import * as change from './commands/change.ts'
import { chatCommand } from './commands/chat.ts'
import { demoCommand } from './commands/demo.ts'
import { auditCommand } from './commands/audit.ts'
import { doctorCommand } from './commands/doctor.ts'
import { erasuresCommand } from './commands/erasures.ts'
import { eraseCommand } from './commands/erase.ts'
import { forgettingCommand } from './commands/forgetting.ts'
import { inspectCommand } from './commands/inspect.ts'
import { importCommand } from './commands/import.ts'
import { jobsCommand } from './commands/jobs.ts'
import * as keep from './commands/keep.ts'
import { keysCommand } from './commands/keys.ts'
import { listCommand } from './commands/list.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { putBackCommand } from './commands/put-back.ts'
import { recallCommand } from './commands/recall.ts'
import { serveCommand } from './commands/serve.ts'
import * as show from './commands/show.ts'
import { trainCommand } from './commands/train.ts'
import { webhooksCommand } from './commands/webhooks.ts'
import type { MakeCommand } from './define-command.ts'
import { EXIT_CODES_HELP } from './exit-codes.ts'
import type { Io } from './io.ts'

const GROUPS: Readonly<Record<string, readonly MakeCommand[]>> = {
  'Start:': [demoCommand, chatCommand, importCommand, inspectCommand],
  'Ask:': [
    recallCommand,
    listCommand,
    show.personaCommand,
    show.portraitCommand,
    show.storyCommand,
    show.whyCommand,
  ],
  'Change:': [
    change.stateCommand,
    change.editCommand,
    change.forgetCommand,
    change.restoreCommand,
    change.quarantineCommand,
    change.pinCommand,
    change.undoCommand,
    change.confirmCommand,
    forgettingCommand,
    eraseCommand,
  ],
  'Keep:': [
    keep.exportCommand,
    keep.backupCommand,
    keep.statsCommand,
    keep.scopesCommand,
    jobsCommand,
    putBackCommand,
    erasuresCommand,
    migrateCommand,
    doctorCommand,
  ],
  'Serve:': [serveCommand, keysCommand, webhooksCommand, auditCommand, mcpCommand],
  'Measure:': [benchCommand],
  'Learn:': [trainCommand],
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

/** The whole command line. Output and errors go through `io`; Commander never ends the process. */
export function buildProgram(io: Io): Command {
  const program = new Command('keepsake')
    .description('Long-term memory for conversations: remember, recall, change, forget, explain, erase.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  for (const [heading, commands] of Object.entries(GROUPS)) {
    for (const make of commands) program.addCommand(make(io).helpGroup(heading))
  }
  const help = new Command('help').argument('[command...]').description('show the help of a command')
  program.addCommand(
    help.helpGroup('Help:').action(async (names: string[]) => {
      await program.parseAsync([...names, '--help'], { from: 'user' })
    }),
  )
  program.hook('preSubcommand', async (_program, command) => {
    if (command.name() !== 'bench') return
    await addBenchCommands(command, io)
    settle(command, io)
  })
  settle(program, io)
  return program
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
