import { existsSync } from 'node:fs'
import { Option, type Command } from '@commander-js/extra-typings'
import type { ForgottenTopic, Memory, Operation, PendingRequest, ScopedMemory } from 'keepsake'
import { given, MEMORY_TYPES } from '@keepsake/text/names'
import { notFound, wrongUsage } from '../cli-error.ts'
import { scopeCommand } from '../define-command.ts'
import { findMemory, MEMORY_ARGUMENT } from '../find-memory.ts'
import { showMemories } from '../output/format-memory.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { time, timeOrNever } from '../read-values.ts'
import { printable, shorten } from '../output/style.ts'

/** Operations that the search for the last change reads. One change can have many consequences. */
const MAX_SEARCHED_OPERATIONS = 10_000

const withMemoryArgument = (command: Command) => command.argument('<memory>', MEMORY_ARGUMENT)

/** Finds a memory, changes it, and shows the result after a verb: “Corrected: Maya lives in Porto.” */
async function changeMemory(
  verb: string,
  scope: ScopedMemory,
  idOrEnd: string,
  apply: (memory: Memory) => Promise<Operation>,
): Promise<Shown> {
  const memory = await findMemory(scope, idOrEnd)
  const operation = await apply(memory)
  const newText = operation.payload?.after.text
  const { text } = memory
  const oldText = newText === undefined || newText === text ? [] : [`was: ${text}`]
  return {
    data: { memory: memory.id, operation },
    formatText: ({ width, dim }) =>
      [
        `${verb}: ${shorten(printable(newText ?? text), width - verb.length - 2)}`,
        ...oldText.map((line) => dim(`  ${shorten(printable(line), width - 2)}`)),
        dim('Undo: keepsake undo last'),
      ].join('\n'),
  }
}

export const addFactCommand = scopeCommand({
  name: 'add-fact',
  summary: 'add a fact',
  description:
    'Adds a fact. It is merged with known values by the merge class of its key, and appears on the persona sheet under the key. A fact that is added twice is one memory with the evidence of both.',
  declare: (command) =>
    command
      .argument('<text>', 'one plain sentence')
      .option('--key <key>', 'its key on the persona sheet, such as residence')
      .option('--value <value>', 'its value; extracted from the text by default')
      .option('--subject <name>', 'the person whom it is about (default: the user)')
      .addOption(new Option('--type <type>', 'its type').choices(MEMORY_TYPES))
      .option('--until <time>', 'the time from which it is no longer true: 2026-03-31, or a time', time)
      .option('--evidence <turn...>', 'ids of the turns that support it'),
  examples: [
    'keepsake add-fact "The user is allergic to peanuts." --user maya',
    'keepsake add-fact "The user lives in Porto." --key residence --value Porto --evidence monday-1 --user maya',
  ],
  async run({ scope, options: { key, value, subject, type, until, evidence } }, text) {
    const memory = await scope.addFact(text, given({ key, value, subject, type, until, evidence }))
    return {
      data: memory,
      formatText: ({ width, dim }) =>
        `Kept: ${shorten(printable(memory.text), width - 6)}\n${dim(`Drop: keepsake forget ${memory.id}`)}`,
    }
  },
})

export const editCommand = scopeCommand({
  name: 'edit',
  summary: 'correct a memory',
  description: 'Corrects a memory. The earlier text stays in its history.',
  declare: (command) =>
    withMemoryArgument(command)
      .option('--text <text>', 'the new text')
      .option('--value <value>', 'the value on the persona sheet, for facts that have one')
      .option('--at <time>', 'the time since which it is true: 2026-03-31, or a time (default: now)', time)
      .option(
        '--mistake',
        'the former text was never true: the date stays, and the text is not listed as past',
      )
      .option(
        '--until <time>',
        'the time from which it is no longer true: 2026-03-31, a time, or never',
        timeOrNever,
      ),
  examples: [
    'keepsake edit 4f1c09ab --text "Maya lives in Porto." --value Porto --user maya',
    'keepsake edit 4f1c09ab --text "Maya’s mum is called Inge." --mistake --user maya',
    'keepsake edit 4f1c09ab --until 2026-06-30 --user maya',
  ],
  run: ({ scope, options: { text, value, at, mistake = false, until } }, idOrEnd) =>
    changeMemory('Corrected', scope, idOrEnd, (memory) => {
      if ([text, value, at, until].every((value) => value === undefined))
        throw wrongUsage('Give --text, --value, --at or --until.')
      if (mistake && (at !== undefined || text === undefined))
        throw wrongUsage('--mistake needs --text and keeps the date: leave out --at.')
      const since = mistake ? memory.validFrom : at
      return scope.edit(memory.id, given({ text, value, at: since, until }))
    }),
})

export const forgetCommand = scopeCommand({
  name: 'forget',
  summary: 'forget one memory, or a topic (can be undone)',
  description:
    'Forgets one memory and the messages from which it comes, or with --about every memory that names a topic. They are no longer recalled. This can be undone, unlike "erase". "run-forgetting" runs the forgetting policy.',
  declare: (command) =>
    command
      .argument('[memory]', MEMORY_ARGUMENT)
      .option('--about <topic>', 'forget every memory that names this topic')
      .option('--dry-run', 'with --about: only list them'),
  examples: [
    'keepsake forget 4f1c09ab --user maya',
    'keepsake forget --about "the bakery job" --dry-run --user maya',
  ],
  async run({ scope, options: { about, dryRun = false } }, idOrEnd) {
    if ((about === undefined) === (idOrEnd === undefined))
      throw wrongUsage('Give either a memory or --about TOPIC.')
    if (about === undefined)
      return changeMemory('Dropped', scope, idOrEnd ?? '', ({ id }) => scope.forget(id))
    return showTopic(await scope.forgetAbout(about, { dryRun }), dryRun)
  },
})

function showTopic({ memories, unsure, operations }: ForgottenTopic, isDryRun: boolean): Shown {
  const undoableIds = operations.flatMap(({ id, parent }) => (parent === null ? [id] : []))
  return {
    data: { memories, unsure, operations: operations.map(({ id }) => id) },
    formatText: ({ width, dim }) => {
      const list = (memories: readonly Memory[]) =>
        memories.map(({ text }) => `  ${shorten(printable(text), width - 2)}`)
      return [
        memories.length === 0
          ? 'No memory names that. Nothing was forgotten.'
          : `${isDryRun ? 'Would drop' : 'Dropped'} ${formatCount(memories.length, 'memory', 'memories')}:`,
        ...list(memories),
        ...(unsure.length === 0 ? [] : ['Unsure, not forgotten:', ...list(unsure)]),
        ...(undoableIds.length === 0 ? [] : [dim(`Undo: keepsake undo ${undoableIds.join(' ')}`)]),
      ].join('\n')
    },
  }
}

export const restoreCommand = scopeCommand({
  name: 'restore',
  summary: 'restore a memory',
  description:
    'Restores a memory that was forgotten or quarantined. To restore a backup file, use "keepsake restore-backup".',
  declare: withMemoryArgument,
  examples: ['keepsake list --user maya --status forgotten', 'keepsake restore 4f1c09ab --user maya'],
  run: ({ scope }, idOrEnd) => {
    if (existsSync(idOrEnd))
      throw wrongUsage(`${idOrEnd} is a file. To restore a backup, run "keepsake restore-backup ${idOrEnd}".`)
    return changeMemory('Restored', scope, idOrEnd, ({ id }) => scope.restore(id))
  },
})

export const pinCommand = scopeCommand({
  name: 'pin',
  summary: 'keep a memory from being forgotten',
  description: 'Protects a memory from the forgetting policy.',
  declare: (command) =>
    withMemoryArgument(command).option('--off', 'let the forgetting policy forget it again'),
  examples: ['keepsake pin 4f1c09ab --user maya', 'keepsake pin 4f1c09ab --off --user maya'],
  run: ({ scope, options: { off = false } }, idOrEnd) =>
    changeMemory(off ? 'Unpinned' : 'Pinned', scope, idOrEnd, ({ id }) => scope.pin(id, !off)),
})

export const undoCommand = scopeCommand({
  name: 'undo',
  summary: 'undo an operation',
  description:
    'Undoes an operation and everything that followed from it. With "last", each call undoes one more. An undo can be undone by its id.',
  declare: (command) =>
    command.argument(
      '[operation...]',
      '"last", the default, or ids, as "keepsake history" and every change print them',
    ),
  examples: [
    'keepsake undo last --user maya',
    'keepsake undo 0198c1d2-7c3e-7b41-9d20-3f6a5b1c2d4e --user maya',
  ],
  async run({ scope }, ids) {
    const undone: Operation[] = []
    for (const id of ids.length === 0 ? ['last'] : ids)
      undone.push(await scope.undo(id === 'last' ? await lastChange(scope) : id))
    const kinds = undone.map(({ kind }) => kind).join(', ')
    const undoneIds = undone.map(({ id }) => id).join(' ')
    return {
      data: undone.length === 1 ? { operation: undone[0] } : { operations: undone },
      formatText: ({ dim }) => `Undone (${kinds}).\n${dim(`Undo this: keepsake undo ${undoneIds}`)}`,
    }
  },
})

/**
 * Returns the id of the latest change that can be undone. Skips consequences of other changes, undos, and changes that were undone.
 * @throws CliError when there is none
 */
async function lastChange(scope: ScopedMemory): Promise<string> {
  const latest = await scope.log({ newestFirst: true, limit: MAX_SEARCHED_OPERATIONS })
  const undoneIds = new Set<string>()
  // An undo comes before the change that it undoes, because the newest operation is first.
  for (const { id, parent, memory, undoes } of latest) {
    if (undoneIds.has(id) || parent !== null || memory === null) continue
    if (undoes === null) return id
    undoneIds.add(undoes)
  }
  throw notFound('There is nothing to undo: no memory was changed here.')
}

export const confirmCommand = scopeCommand({
  name: 'confirm',
  summary: 'pending requests to forget',
  description:
    'The user asked to forget everything, or the request was doubtful. Nothing is forgotten before the user says yes in the next turn, or you confirm it here. Without a turn, lists the pending requests and the number of memories that each would remove.',
  declare: (command) => command.argument('[turn]', 'the turn that made the request'),
  examples: ['keepsake confirm --user maya', 'keepsake confirm monday-3 --user maya'],
  async run({ scope }, turn) {
    if (turn === undefined) return showPendingRequests(await scope.admin.pendingRequests())
    const operation = await scope.confirmRequest(turn)
    return {
      data: { operation },
      formatText: ({ dim }) => `Forgotten.\n${dim(`Undo: keepsake undo ${operation.id}`)}`,
    }
  },
})

function showPendingRequests(requests: readonly PendingRequest[]): Shown {
  const line = ({ turn, about, removes }: PendingRequest): string => {
    const parts = Object.entries(removes).map(([form, count]) => `${count} ${form}`)
    return `${printable(turn)} (${about === null ? 'everything' : printable(about)}) would forget ${parts.join(', ') || 'nothing'}`
  }
  return {
    data: { requests },
    formatText: () =>
      requests.length === 0 ? 'There are no pending requests.' : requests.map(line).join('\n'),
  }
}

export const quarantineCommand = scopeCommand({
  name: 'quarantine',
  summary: 'quarantined memories, with the reason',
  description:
    'Lists quarantined statements, the newest first, each with its reason: no turn supports it, or only the agent said it. "keepsake restore" accepts one as a memory.',
  json: 'one JSON object per line',
  examples: ['keepsake quarantine --user maya', 'keepsake restore 4f1c09ab --user maya'],
  async run({ scope }) {
    const quarantined = await scope.memories({ statuses: ['quarantined'] })
    return showMemories(quarantined.toReversed(), quarantined.length, (count) =>
      count === 0
        ? 'There are no quarantined statements.'
        : `${formatCount(count, 'statement')} in quarantine; keepsake restore accepts one`,
    )
  },
})
