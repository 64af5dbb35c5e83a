import type { ImportQuestion } from '../import-error.ts'
import type { ImportSettings, PlacedTurn } from '../import-source.ts'
import type { Format, ReadFormat } from '../recognise-format.ts'
import type { ExportSurvey } from '../survey-export.ts'
import type { FileSurvey } from '../survey-source.ts'

export interface ReadingWork {
  /** Descriptor of the open file, which threads share. */
  readonly descriptor: number
  readonly name: string
  /** The format; detected from the contents when absent. */
  readonly format?: ReadFormat | undefined
  readonly settings: ImportSettings
}

/** A file's contents, read in full. */
export type FileHolds =
  | { readonly kind: 'turns'; readonly survey: FileSurvey }
  | { readonly kind: 'export'; readonly survey: ExportSurvey }

export interface RefusedFile {
  readonly message: string
  readonly question: ImportQuestion | null
  /** The assumed format, if known. */
  readonly format: Format | null
}

/** Messages of a thread: the file's contents, then turns on request. */
export type ReadingNews =
  | { readonly holds: FileHolds }
  | { readonly turns: readonly PlacedTurn[]; readonly isLast: boolean }
  | { readonly refused: RefusedFile }
