import type { BenchConversation } from '../../datasets/conversation.ts'
import { openDataset, type DatasetName } from '../../datasets/open-dataset.ts'
import type { PublishedUnit, HereFigure, Reproduction } from '../registry/paper.ts'
import { countedFigure } from './here-figure.ts'

/** A column of a table about the size of data. */
export interface Count {
  readonly column: string
  readonly unit?: PublishedUnit
  /** `null`: cannot be counted. */
  readonly of: (conversations: readonly BenchConversation[]) => number | null
}

export interface CountTable {
  readonly dataset: DatasetName
  /** The name of the row here. */
  readonly row: string
  /** The row of the paper's table. */
  readonly beside: string | ((conversations: readonly BenchConversation[]) => string)
  readonly counts: readonly Count[]
  /** Remarks about the data, in sentences. */
  readonly remarks?: (conversations: readonly BenchConversation[]) => readonly string[]
  /** The amount of data in the unit of its source. Default: the number of conversations. */
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
    const beside = typeof table.beside === 'string' ? table.beside : table.beside(conversations)
    const figures = counts.map(({ column, unit = 'count', of }): HereFigure =>
      countedFigure({ row, column, beside, unit }, of(conversations), size),
    )
    const { dataHash } = opened
    return { figures, size, dataHash, reader: null, runs: [], remarks: remarks(conversations) }
  }
}

export function turnsOf(conversation: BenchConversation) {
  return conversation.sessions.flatMap(({ turns }) => turns)
}

/** The mean over conversations. `null` without conversations. */
export function meanOf(
  conversations: readonly BenchConversation[],
  of: (conversation: BenchConversation) => number,
): number | null {
  if (conversations.length === 0) return null
  return sumOf(conversations, of) / conversations.length
}

export function sumOf(
  conversations: readonly BenchConversation[],
  of: (conversation: BenchConversation) => number,
): number {
  return conversations.reduce((sum, conversation) => sum + of(conversation), 0)
}
