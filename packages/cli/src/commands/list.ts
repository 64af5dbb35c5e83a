import { Command } from 'commander'
import type { Memory, MemoryForm, MemoryStatus } from 'keepsake'
import { oneOrMoreOf, wholeNumber, withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatMemory } from '../output/format-memory.ts'
import { formatCount } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

const FORMS: readonly MemoryForm[] = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note']
const STATUSES: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten', 'erased']
const SHOWN = 50

interface Options extends ScopeOptions {
  readonly forms?: MemoryForm[]
  readonly status?: MemoryStatus[]
  readonly all?: boolean
  readonly session?: string
  readonly limit?: number
}

export function listCommand(io: Io): Command {
  const command = new Command('list')
    .summary('memories, newest first')
    .description(
      'Memories, newest first: what is live, or with --status what was forgotten, deleted or not believed.',
    )
    .option('--forms <list>', `only these forms: ${FORMS.join(', ')}`, oneOrMoreOf(FORMS))
    .option('--status <list>', `of these states: ${STATUSES.join(', ')}`, oneOrMoreOf(STATUSES))
    .option('--all', 'of every state')
    .option('--session <id>', 'only of this session')
    .option(
      '--limit <n>',
      `memories at most (default: ${SHOWN}; no limit with --json)`,
      wholeNumber(1, 1_000_000),
    )
    .addHelpText(
      'after',
      examples(
        'keepsake list --user maya --forms fact',
        'keepsake list --user maya --status forgotten,deleted',
        'keepsake list --user maya --all --json',
      ),
    )
  return withScope(command, io, 'one JSON object a memory, a line each').action(async (options: Options) => {
    const found = await withExistingScope(options, (scope) => scope.memories(filterOf(options)))
    show(io, found.toReversed(), options)
  })
}

function filterOf({ all, status, forms, session }: Options) {
  const statuses = all === true ? STATUSES : status
  return {
    ...(statuses === undefined ? {} : { statuses }),
    ...(forms === undefined ? {} : { forms }),
    ...(session === undefined ? {} : { session }),
  }
}

function show(io: Io, memories: readonly Memory[], options: Options): void {
  if (options.json === true) {
    for (const memory of memories.slice(0, options.limit)) printJson(io, memory)
    return
  }
  const style = styleFor(io)
  const shown = memories.slice(0, options.limit ?? SHOWN)
  for (const memory of shown) print(io, formatMemory(memory, style))
  const rest = memories.length - shown.length
  const more = rest > 0 ? `; ${rest} more with --limit ${memories.length}` : ''
  print(
    io,
    style.dim(
      memories.length === 0 ? 'No memories.' : `${formatCount(shown.length, 'memory', 'memories')}${more}`,
    ),
  )
}
