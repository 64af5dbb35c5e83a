import type { BenchConversation } from '../../datasets/conversation.ts'
import { openDataset, type DatasetName } from '../../datasets/open-dataset.ts'
import type { PublishedUnit, MeasuredFigure, Reproduction } from '../registry/paper.ts'
import { makeFigure } from './measured-figure.ts'

/** A column of a table that counts data, such as “Total Questions”. */
export interface Count {
  readonly column: string
  readonly unit?: PublishedUnit
  /** Counts in all conversations. `null`: this cannot be counted. */
  readonly count: (conversations: readonly BenchConversation[]) => number | null
}

/** A table with one row that says how large the data is. */
export interface CountTable {
  readonly dataset: DatasetName
  /** The name of the measured row. */
  readonly row: string
  /** The row of the paper's table with which it is compared. */
  readonly paperRow: string | ((conversations: readonly BenchConversation[]) => string)
  readonly counts: readonly Count[]
  /** Remarks about the data, in sentences. */
  readonly remarks?: (conversations: readonly BenchConversation[]) => readonly string[]
  /** Counts the data in the unit in which the paper says its size, such as people. Default: conversations. */
  readonly sizeOf?: (conversations: readonly BenchConversation[]) => number
}

/** Measures a table about the size of data, by counting. */
export function byCounting(table: CountTable): Reproduction['measure'] {
  return async ({ path, limit = Number.POSITIVE_INFINITY }) => {
    const { dataset, row, counts, sizeOf = (all) => all.length, remarks = () => [] } = table
    const opened = await openDataset(dataset, path)
    const conversations: BenchConversation[] = []
    for await (const conversation of opened.conversations()) {
      if (conversations.length >= limit) break
      conversations.push(conversation)
    }
    const size = sizeOf(conversations)
    const paperRow = typeof table.paperRow === 'string' ? table.paperRow : table.paperRow(conversations)
    const figures = counts.map(({ column, unit = 'count', count }): MeasuredFigure =>
      makeFigure({ row, column, paperRow, unit }, count(conversations), size),
    )
    const { dataHash } = opened
    return { figures, size, dataHash, reader: null, runs: [], remarks: remarks(conversations) }
  }
}

/** Lists the turns of all sessions. */
export function turnsOf(conversation: BenchConversation) {
  return conversation.sessions.flatMap(({ turns }) => turns)
}

/** Computes the mean of a value over conversations. `null`: there are no conversations. */
export function meanOf(
  conversations: readonly BenchConversation[],
  valueOf: (conversation: BenchConversation) => number,
): number | null {
  if (conversations.length === 0) return null
  return sumOf(conversations, valueOf) / conversations.length
}

/** Adds up a value over conversations. */
export function sumOf(
  conversations: readonly BenchConversation[],
  valueOf: (conversation: BenchConversation) => number,
): number {
  return conversations.reduce((sum, conversation) => sum + valueOf(conversation), 0)
}
