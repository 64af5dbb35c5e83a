import { existsSync } from 'node:fs'
import { Option, type Command } from '@commander-js/extra-typings'
import type { HeldRequest, Memory, Operation, ScopedMemory } from 'keepsake'
import { MEMORY_TYPES } from 'keepsake/names'
import { wrongUsage } from '../cli-error.ts'
import { scopeCommand } from '../define-command.ts'
import { findMemory, MEMORY_ARGUMENT } from '../find-memory.ts'
import { given } from '../given.ts'
import { showMemories } from '../output/format-memory.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { printable, shorten } from '../output/style.ts'

const aMemory = (command: Command) => command.argument('<memory>', MEMORY_ARGUMENT)

/** Changes the memory that is named; shows what was done, and how to undo it. */
async function change(
  done: string,
  scope: ScopedMemory,
  named: string,
  how: (memory: Memory) => Promise<Operation>,
): Promise<Shown> {
  const memory = await findMemory(scope, named)
  const operation = await how(memory)
  return {
    data: { memory: memory.id, operation },
    words: ({ width, dim }) =>
      `${done}: ${shorten(printable(memory.text), width - done.length - 2)}\n${dim(`Undo: keepsake undo ${operation.id}`)}`,
  }
}

export const stateCommand = scopeCommand({
  name: 'state',
  summary: 'keep a statement as a memory',
  description:
    'Keeps a statement as a fact: recalled, on the persona sheet under its key, and merged with what is known by the key’s class. Stated twice it is one memory with the evidence of both.',
  declare: (command) =>
    command
      .argument('<text>', 'one plain sentence')
      .option('--key <key>', 'the key of the persona sheet that it belongs under, such as residence')
      .option('--value <value>', 'its value there; read from the words when absent')
      .option('--subject <name>', 'whom it is about; the user when absent')
      .addOption(new Option('--type <type>', 'what it is about').choices(MEMORY_TYPES))
      .option('--evidence <turn...>', 'turns that bear it out, by their ids'),
  examples: [
    'keepsake state "The user is allergic to peanuts." --user maya',
    'keepsake state "The user lives in Porto." --key residence --value Porto --evidence monday-1 --user maya',
  ],
  async run({ scope, options: { key, value, subject, type, evidence } }, text) {
    const memory = await scope.state(text, given({ key, value, subject, type, evidence }))
    return {
      data: memory,
      words: ({ width, dim }) =>
        `Kept: ${shorten(printable(memory.text), width - 6)}\n${dim(`Drop: keepsake forget ${memory.id}`)}`,
    }
  },
})

export const editCommand = scopeCommand({
  name: 'edit',
  summary: 'correct a memory',
  description: 'Corrects a memory. What it said before stays in its history.',
  declare: (command) =>
    aMemory(command)
      .option('--text <text>', 'what it should say')
      .option('--value <value>', 'the value on the persona sheet, for facts that have one'),
  examples: ['keepsake edit 4f1c09ab --text "Maya lives in Porto." --value Porto --user maya'],
  run: ({ scope, options: { text, value } }, named) =>
    change('Corrected', scope, named, (memory) => {
      if (text === undefined && value === undefined)
        throw wrongUsage('Say what to correct: --text, --value or both.')
      return scope.edit(memory.id, given({ text, value }))
    }),
})

export const forgetCommand = scopeCommand({
  name: 'forget',
  summary: 'drop one memory (can be undone)',
  description:
    'Drops one memory, and the utterances it rests on, from all recall. Can be undone; "erase" removes for good, "forgetting" runs the policy.',
  declare: aMemory,
  examples: ['keepsake forget 4f1c09ab --user maya'],
  run: ({ scope }, named) => change('Dropped', scope, named, ({ id }) => scope.remove(id)),
})

export const restoreCommand = scopeCommand({
  name: 'restore',
  summary: 'bring a memory back',
  description:
    'Brings back a memory that was forgotten, dropped or not believed. A backup is put in place by "keepsake put-back".',
  declare: aMemory,
  examples: ['keepsake list --user maya --status forgotten', 'keepsake restore 4f1c09ab --user maya'],
  run: ({ scope }, named) => {
    if (existsSync(named))
      throw wrongUsage(`${named} is a file. A backup is put in place by "keepsake put-back ${named}".`)
    return change('Brought back', scope, named, ({ id }) => scope.restore(id))
  },
})

export const pinCommand = scopeCommand({
  name: 'pin',
  summary: 'keep a memory from being forgotten',
  description: 'Keeps a memory from ever being let go by the forgetting policy.',
  declare: (command) => aMemory(command).option('--off', 'let the policy judge it again'),
  examples: ['keepsake pin 4f1c09ab --user maya', 'keepsake pin 4f1c09ab --off --user maya'],
  run: ({ scope, options: { off = false } }, named) =>
    change(off ? 'Unpinned' : 'Pinned', scope, named, ({ id }) => scope.pin(id, !off)),
})

export const undoCommand = scopeCommand({
  name: 'undo',
  summary: 'take an operation back',
  description: 'Takes an operation back, with all that followed from it. An undo can be undone.',
  declare: (command) =>
    command.argument('<operation>', 'its id, as "keepsake why" and every change print it'),
  examples: ['keepsake undo 0198c1d2-7c3e-7b41-9d20-3f6a5b1c2d4e --user maya'],
  async run({ scope }, id) {
    const operation = await scope.undo(id)
    return {
      data: { operation },
      words: ({ dim }) => `Undone (${operation.kind}).\n${dim(`Undo this: keepsake undo ${operation.id}`)}`,
    }
  },
})

export const confirmCommand = scopeCommand({
  name: 'confirm',
  summary: 'requests that wait: list them, or carry one out',
  description:
    'Somebody asked that everything be forgotten. Nothing is before they say yes in their next turn, or it is confirmed here. Without a turn, tells what waits and what it would remove.',
  declare: (command) => command.argument('[turn]', 'the turn that asked'),
  examples: ['keepsake confirm --user maya', 'keepsake confirm monday-3 --user maya'],
  async run({ scope }, turn) {
    if (turn === undefined) return showHeld(await scope.heldRequests())
    const operation = await scope.confirmRequest(turn)
    return {
      data: { operation },
      words: ({ dim }) => `Forgotten.\n${dim(`Undo: keepsake undo ${operation.id}`)}`,
    }
  },
})

function showHeld(requests: readonly HeldRequest[]): Shown {
  const line = ({ turn, removes }: HeldRequest): string => {
    const parts = Object.entries(removes).map(([form, count]) => `${count} ${form}`)
    return `${printable(turn)} would remove ${parts.join(', ') || 'nothing'}`
  }
  return {
    data: { requests },
    words: () => (requests.length === 0 ? 'No request waits.' : requests.map(line).join('\n')),
  }
}

export const quarantineCommand = scopeCommand({
  name: 'quarantine',
  summary: 'what was not believed, and why',
  description:
    'Statements that were proposed but not believed, newest first, each with the reason: no turn supports them, or only the agent said so. --release makes one a memory after all.',
  declare: (command) => command.option('--release <memory>', 'believe this one: its id, or the end of it'),
  json: 'one JSON object a memory, a line each',
  examples: ['keepsake quarantine --user maya', 'keepsake quarantine --release 4f1c09ab --user maya'],
  async run({ scope, options: { release } }) {
    if (release !== undefined) return change('Released', scope, release, (memory) => believe(scope, memory))
    const held = await scope.memories({ statuses: ['quarantined'] })
    return showMemories(held.toReversed(), held.length, (count) =>
      count === 0
        ? 'Nothing is in quarantine.'
        : `${formatCount(count, 'statement')} not believed; --release believes one`,
    )
  },
})

function believe(scope: ScopedMemory, { id, status }: Memory): Promise<Operation> {
  if (status === 'quarantined') return scope.restore(id)
  throw wrongUsage(`${id} is not in quarantine but ${status}. "keepsake restore" brings others back.`)
}
