import { createInterface } from 'node:readline/promises'
import type { EraseReceipt, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { scopeCommand } from '../define-command.ts'
import { findMemory } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { formatReceipt } from '../output/format-receipt.ts'
import type { Shown } from '../output/print.ts'
import { joinMarks } from '../output/style.ts'

export const eraseCommand = scopeCommand({
  name: 'erase',
  summary: 'remove for good: a person, or what is named',
  description:
    'Erases a person for good, or only the named memories, sessions or turns with all that rests on them. No byte of the text stays in the file. Cannot be undone; backups made earlier are out of reach, and are told of it when they are put back (keepsake erasures). Asks on a terminal; elsewhere --yes is needed.',
  declare: (command) =>
    command
      .option('--memory <id...>', 'only these memories')
      .option('--session <id...>', 'only these sessions')
      .option('--turn <id...>', 'only these turns')
      .option('--yes', 'do not ask'),
  examples: ['keepsake erase --user maya', 'keepsake erase --user maya --session monday --yes --json'],
  async run({ scope, io, options: { memory = [], session = [], turn = [], yes } }) {
    const isWhole = memory.length + session.length + turn.length === 0
    const what = `${isWhole ? 'everything about' : 'what was named, and all that rests on it, of'} ${nameOf(scope)}`
    if (yes !== true && !(await confirm(io, what, scope.key.user))) return showReceipt(null)
    if (isWhole) return showReceipt(await scope.erase())
    const memories = await Promise.all(memory.map(async (named) => (await findMemory(scope, named)).id))
    return showReceipt(await scope.erase({ memories, sessions: session, turns: turn }))
  },
})

const showReceipt = (receipt: EraseReceipt | null): Shown => ({
  data: { receipt },
  words: () => (receipt === null ? 'Nothing was erased.' : formatReceipt(receipt)),
})

function nameOf({ key: { user, agent, app } }: ScopedMemory): string {
  const within = joinMarks(
    [agent === undefined ? '' : `agent ${agent}`, app === undefined ? '' : `app ${app}`],
    ', ',
  )
  return within === '' ? user : `${user} (${within})`
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
