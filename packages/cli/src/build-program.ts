import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { COMMANDS } from './commands.ts'
import { EXIT_CODES_HELP } from './exit-codes.ts'
import type { Io } from './io.ts'
import { fitToWidth } from './output/print.ts'

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

/** Minimum width of the column of descriptions. In a narrower column Commander does not break lines between words. */
const MIN_HELP_WIDTH = 12
const WIDTH_WITHOUT_TERMINAL = 80

/** Builds the command line, which never ends the process. Loads only the command that `first` names, if there is one. */
export async function buildProgram(io: Io, first?: string): Promise<Command> {
  const program = new Command('keepsake')
    .description('Long-term memory for conversations: remember, recall, change, forget, explain, erase.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', () => fitToWidth(io.stdout, EXAMPLES))
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
    setOutput(command, io)
  })
  setOutput(program, io)
  return program
}

/** Loads the called command; no command for `--version`, and all commands for the help or for a misspelt name. */
async function loadCommands(first: string | undefined) {
  const all = Object.entries(COMMANDS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ heading, name, load })),
  )
  const called = all.filter(({ name }) => name === first)
  const needed = first === '--version' || called.length > 0 ? called : all
  return Promise.all(needed.map(async ({ heading, load }) => ({ heading, make: await load() })))
}

/** Sets output and error handling of a command and its subcommands. */
function setOutput(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError(`Try "${fullName(command)} --help".`)
    .configureHelp({ showGlobalOptions: false, minWidthToWrap: MIN_HELP_WIDTH })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(fitToWidth(io.stderr, text.replace(/^error: /, 'keepsake: '))),
      getOutHelpWidth: () => io.stdout.columns ?? WIDTH_WITHOUT_TERMINAL,
      getErrHelpWidth: () => io.stderr.columns ?? WIDTH_WITHOUT_TERMINAL,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  for (const child of command.commands) setOutput(child, io)
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
