import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import type { EraseReceipt, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { findMemory } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatReceipt } from '../output/format-receipt.ts'
import { print, printJson } from '../output/print.ts'

interface Options extends ScopeOptions {
  readonly memory?: string[]
  readonly session?: string[]
  readonly turn?: string[]
  readonly yes?: boolean
}

export function eraseCommand(io: Io): Command {
  const command = new Command('erase')
    .summary('remove for good: a person, or what is named')
    .description(
      'Erases a person for good, or only the named memories, sessions or turns with all that rests on them. No byte of the text stays in the file. Cannot be undone; backups made earlier are out of reach. Asks on a terminal; elsewhere --yes is needed.',
    )
    .option('--memory <id...>', 'only these memories')
    .option('--session <id...>', 'only these sessions')
    .option('--turn <id...>', 'only these turns')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples('keepsake erase --user maya', 'keepsake erase --user maya --session monday --yes --json'),
    )
  return withScope(command, io).action(async (options: Options) => {
    const receipt = await withExistingScope(options, (scope) => eraseConfirmed(io, scope, options))
    if (options.json === true) printJson(io, { receipt })
    else print(io, receipt === null ? 'Nothing was erased.' : formatReceipt(receipt))
  })
}

async function eraseConfirmed(io: Io, scope: ScopedMemory, options: Options): Promise<EraseReceipt | null> {
  const { memory = [], session = [], turn = [] } = options
  const isWhole = memory.length + session.length + turn.length === 0
  const what = isWhole
    ? `everything about ${describeScope(scope)}`
    : `what was named, and all that rests on it, of ${describeScope(scope)}`
  if (options.yes !== true && !(await confirm(io, what, scope.key.user))) return null
  if (isWhole) return scope.erase()
  const memories = await Promise.all(memory.map(async (given) => (await findMemory(scope, given)).id))
  return scope.erase({ memories, sessions: session, turns: turn })
}

function describeScope({ key }: ScopedMemory): string {
  const within = [
    key.agent === undefined ? '' : `agent ${key.agent}`,
    key.app === undefined ? '' : `app ${key.app}`,
  ]
  const narrowed = within.filter((part) => part !== '').join(', ')
  return narrowed === '' ? key.user : `${key.user} (${narrowed})`
}

async function confirm(io: Io, what: string, user: string): Promise<boolean> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw wrongUsage(`This would erase ${what}, for good. Add --yes to confirm.`)
  }
  const terminal = createInterface({ input: io.stdin, output: io.stderr })
  try {
    const answer = await terminal.question(`This erases ${what}, for good.\nType ${user} to go on: `)
    return answer.trim() === user
  } finally {
    terminal.close()
  }
}
