import type { EventMap } from 'keepsake'
import { describeError } from '../serving/write-log.ts'
import type { MemoryAdder } from './add-memories.ts'
import type { Mem0Door } from './mem0-door.ts'
import { sweepNotes } from './sweep-notes.ts'

/** Keeps what the door holds true to the engine, until the server stops: the memory may stay open for longer. */
export function followEngine(door: Mem0Door, adder: MemoryAdder): void {
  const { keepsake, stopping } = door.deps
  const changed = ({ scope, operation }: EventMap['memory-deleted'][0]): void => {
    if (operation.origin.step === 'api') adder.forgetRecent(scope)
  }
  const sweep = sweeper(door)
  const erased = ({ receipt }: EventMap['scope-erased'][0]): void => {
    adder.forgetRecent()
    door.events.dropResults()
    sweep(receipt.memories === 0)
  }
  keepsake.on('memory-deleted', changed).on('memory-modified', changed).on('scope-erased', erased)
  stopping.addEventListener('abort', () => {
    keepsake.off('memory-deleted', changed).off('memory-modified', changed).off('scope-erased', erased)
    door.changes.stop()
  })
  // What another process erased while this one was not running.
  sweep(false)
}

/** Clears notes, one run at a time: what is erased meanwhile is looked for in the next. */
function sweeper(door: Mem0Door): (every: boolean) => void {
  const { stopping, log } = door.deps
  let running = false
  let next: boolean | null = null
  const run = async (): Promise<void> => {
    running = true
    for (let every = next; every !== null && !stopping.aborted; every = next) {
      next = null
      await sweepNotes(door, every)
    }
  }
  return (every) => {
    next = every || next === true
    if (running) return
    run()
      .catch((error: unknown) => {
        if (!stopping.aborted) log({ level: 'error', event: 'mem0-sweep-failed', ...describeError(error) })
      })
      .finally(() => {
        running = false
      })
  }
}
