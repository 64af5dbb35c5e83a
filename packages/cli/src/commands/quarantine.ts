import { Command } from 'commander'
import type { Memory, Operation, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { findMemory } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatMemory } from '../output/format-memory.ts'
import { formatCount } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'
import { reportChange } from './change-memory.ts'

interface Options extends ScopeOptions {
  readonly release?: string
}

export function quarantineCommand(io: Io): Command {
  const command = new Command('quarantine')
    .summary('what was not believed, and why')
    .description(
      'Statements that were proposed but not believed, newest first, each with the reason: no turn supports them, or only the agent said so. --release makes one a memory after all.',
    )
    .option('--release <memory>', 'believe this one: its id, or the end of it')
    .addHelpText(
      'after',
      examples('keepsake quarantine --user maya', 'keepsake quarantine --release 4f1c09ab --user maya'),
    )
  return withScope(command, io, 'one JSON object a memory, a line each').action(async (options: Options) => {
    const { release } = options
    if (release === undefined) {
      const held = await withExistingScope(options, (scope) => scope.memories({ statuses: ['quarantined'] }))
      show(io, held.toReversed(), options.json === true)
      return
    }
    const { memory, operation } = await withExistingScope(options, (scope) => releaseMemory(scope, release))
    if (options.json === true) printJson(io, { memory: memory.id, operation })
    else reportChange(io, 'Released', memory, operation)
  })
}

async function releaseMemory(
  scope: ScopedMemory,
  given: string,
): Promise<{ memory: Memory; operation: Operation }> {
  const memory = await findMemory(scope, given)
  if (memory.status !== 'quarantined')
    throw wrongUsage(
      `${given} is not in quarantine but ${memory.status}. "keepsake restore" brings others back.`,
    )
  return { memory, operation: await scope.restore(memory.id) }
}

function show(io: Io, held: readonly Memory[], isJson: boolean): void {
  if (isJson) {
    for (const memory of held) printJson(io, memory)
    return
  }
  const style = styleFor(io)
  for (const memory of held) print(io, formatMemory(memory, style))
  const count = formatCount(held.length, 'statement')
  print(
    io,
    style.dim(
      held.length === 0 ? 'Nothing is in quarantine.' : `${count} not believed; --release believes one`,
    ),
  )
}
