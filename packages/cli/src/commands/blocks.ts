import type { Memory } from 'keepsake'
import { given } from '@keepsake/text/names'
import { scopeCommand } from '../define-command.ts'
import { shortId } from '../find-memory.ts'
import { formatDay } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { joinMarks, printable, wrap, type Style } from '../output/style.ts'
import { wholeNumber } from '../read-values.ts'

/** Maximum characters of a block, and so of its lines. */
const MAX_BLOCK_LENGTH = 100_000

function formatBlock({ id, name, text, limit, validFrom }: Memory, style: Style): string {
  const marks = [shortId(id), `${Array.from(text).length} of ${limit} characters`, formatDay(validFrom)]
  const lines = text.split('\n').map((line) => wrap(printable(line), style.width, '  '))
  return `${style.accent(printable(name ?? ''))}  ${style.dim(joinMarks(marks))}\n${lines.join('\n')}`
}

function showBlock(block: Memory): Shown {
  return {
    data: block,
    formatText: (style) =>
      `${formatBlock(block, style)}\n${style.dim(`Versions: keepsake history ${shortId(block.id)}. Undo: keepsake undo last`)}`,
  }
}

export const blocksCommand = scopeCommand({
  name: 'blocks',
  summary: 'the named texts of an agent',
  description: 'Lists the blocks: short named texts of an agent, with which every context begins.',
  json: 'one JSON object per line',
  examples: ['keepsake blocks --user maya', 'keepsake blocks --user maya --json'],
  async run({ scope }) {
    const blocks = await scope.blocks()
    return {
      data: blocks,
      formatText: (style) =>
        blocks.length === 0
          ? style.dim('There are no blocks. "keepsake write-block" makes one.')
          : blocks.map((block) => formatBlock(block, style)).join('\n'),
    }
  },
})

export const writeBlockCommand = scopeCommand({
  name: 'write-block',
  summary: 'write a block',
  description: 'Makes a block, or replaces its text. The earlier text stays in its history.',
  declare: (command) =>
    command
      .argument('<name>', 'its name, such as tasks or project/decisions')
      .argument('<text>', 'its whole text')
      .option(
        '--limit <n>',
        'maximum number of characters (default: as before; 2,000 for a new block)',
        wholeNumber(1, MAX_BLOCK_LENGTH),
      )
      .option('--evidence <turn...>', 'ids of the turns that support it'),
  examples: ['keepsake write-block tasks "book the train" --limit 500 --user maya'],
  run: async ({ scope, options: { limit, evidence } }, name, text) =>
    showBlock(await scope.writeBlock(name, text, given({ limit, evidence }))),
})

export const editBlockCommand = scopeCommand({
  name: 'edit-block',
  summary: 'edit a block',
  description:
    'Replaces words in a block, inserts lines, or renames it. The earlier text stays in its history.',
  declare: (command) =>
    command
      .argument('<name>', 'its name')
      .option('--find <words>', 'words that occur exactly once in the block')
      .option('--replace <words>', 'the replacement')
      .option('--insert <text>', 'lines to insert')
      .option(
        '--line <n>',
        'the line after which they are inserted, 0 for the top (default: the last line)',
        wholeNumber(0, MAX_BLOCK_LENGTH),
      )
      .option('--rename <name>', 'its new name')
      .option('--evidence <turn...>', 'ids of the turns that support the change'),
  examples: [
    'keepsake edit-block tasks --find "book the train" --replace "train booked" --user maya',
    'keepsake edit-block tasks --insert "water the plants" --user maya',
  ],
  run: async ({ scope, options: { find, replace, insert, line, rename, evidence } }, name) =>
    showBlock(await scope.editBlock(name, given({ find, replace, insert, line, rename, evidence }))),
})
