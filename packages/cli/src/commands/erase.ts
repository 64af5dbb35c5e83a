import type { EraseReceipt, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { scopeCommand } from '../define-command.ts'
import { findMemory } from '../find-memory.ts'
import { askOnTerminal, type Io } from '../io.ts'
import { formatReceipt } from '../output/format-memory.ts'
import type { Shown } from '../output/print.ts'
import { joinMarks } from '../output/style.ts'

export const eraseCommand = scopeCommand({
  name: 'erase',
  summary: 'erase a user or parts permanently',
  description:
    'Erases a user permanently, or only the named memories, sessions or turns and everything derived from them. No byte of the text stays in the file. This cannot be undone. Earlier backups still contain the text: "keepsake erasures" repeats erasures after a restore. The command asks for confirmation on a terminal; elsewhere --user and --yes are required.',
  declare: (command) =>
    command
      .option('--memory <id...>', 'only these memories')
      .option('--session <id...>', 'only these sessions')
      .option('--turn <id...>', 'only these turns')
      .option('--yes', 'do not ask for confirmation'),
  examples: ['keepsake erase --user maya', 'keepsake erase --user maya --session monday --yes --json'],
  async run({ scope, io, options: { user, memory = [], session = [], turn = [], yes } }) {
    const isWhole = memory.length + session.length + turn.length === 0
    const what = `${isWhole ? 'everything about' : 'the named items, and everything derived from them, of'} ${nameOf(scope)}`
    if (yes === true && user === undefined)
      throw wrongUsage(`This would erase ${what} permanently. --yes needs --user: name the user to erase.`)
    if (yes !== true && !(await confirm(io, what, scope.key.user))) return showReceipt(null)
    if (isWhole) return showReceipt(await scope.erase({ everything: true }))
    const memories = await Promise.all(memory.map(async (idOrEnd) => (await findMemory(scope, idOrEnd)).id))
    return showReceipt(await scope.erase({ memories, sessions: session, turns: turn }))
  },
})

const showReceipt = (receipt: EraseReceipt | null): Shown => ({
  data: { receipt },
  formatText: () => (receipt === null ? 'Nothing was erased.' : formatReceipt(receipt)),
})

function nameOf({ key: { user, agent, app } }: ScopedMemory): string {
  const within = joinMarks(
    [agent === undefined ? '' : `agent ${agent}`, app === undefined ? '' : `app ${app}`],
    ', ',
  )
  return within === '' ? user : `${user} (${within})`
}

async function confirm(io: Io, what: string, user: string): Promise<boolean> {
  const answer = await askOnTerminal(io, `This erases ${what} permanently.\nType ${user} to continue: `)
  if (answer === null)
    throw wrongUsage(`This would erase ${what} permanently. Add --user and --yes to confirm.`)
  return answer === user
}
