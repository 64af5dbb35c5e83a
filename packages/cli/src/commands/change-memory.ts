import type { Command } from 'commander'
import type { Memory, Operation, ScopedMemory } from 'keepsake'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { findMemory } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { print, printJson } from '../output/print.ts'
import { printable, shorten, styleFor } from '../output/style.ts'

/** A command that changes one memory: finds it, changes it, says what was done and how to undo it. */
export function changingCommand<Options extends ScopeOptions>(
  command: Command,
  io: Io,
  done: string | ((options: Options) => string),
  change: (scope: ScopedMemory, memory: Memory, options: Options) => Promise<Operation>,
): Command {
  command.argument('<memory>', 'its id, or the end of it as lists show it')
  return withScope(command, io).action(async (given: string, options: Options) => {
    const { memory, operation } = await withExistingScope(options, async (scope) => {
      const found = await findMemory(scope, given)
      return { memory: found, operation: await change(scope, found, options) }
    })
    if (options.json === true) printJson(io, { memory: memory.id, operation })
    else reportChange(io, typeof done === 'string' ? done : done(options), memory, operation)
  })
}

/** Says what was done to a memory, and how to undo it. */
export function reportChange(io: Io, done: string, memory: Memory, operation: Operation): void {
  const style = styleFor(io)
  print(
    io,
    `${done}: ${shorten(printable(memory.text), style.width - done.length - 2)}`,
    style.dim(`Undo: keepsake undo ${operation.id}`),
  )
}
