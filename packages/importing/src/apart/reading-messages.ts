import type { ImportQuestion } from '../import-error.ts'
import type { ImportSettings, PlacedTurn } from '../import-source.ts'
import type { Format, ReadFormat } from '../recognise-format.ts'
import type { ExportSurvey } from '../survey-export.ts'
import type { FileSurvey } from '../survey-source.ts'

/** The file that a thread reads, and how. */
export interface ReadingWork {
  /** Descriptor of the open file, which threads share. */
  readonly descriptor: number
  readonly name: string
  /** The format. If it is absent, the contents decide. */
  readonly format?: ReadFormat | undefined
  readonly settings: ImportSettings
}

/** A survey of a file, which was read in full. */
export type FileHolds =
  | { readonly kind: 'turns'; readonly survey: FileSurvey }
  | { readonly kind: 'export'; readonly survey: ExportSurvey }

/** A file that cannot be imported, and the reason. */
export interface RefusedFile {
  readonly message: string
  readonly question: ImportQuestion | null
  /** The assumed format, if known. */
  readonly format: Format | null
}

/** A message of a thread: first the survey of the file, then turns on request. */
export type ReadingNews =
  | { readonly holds: FileHolds }
  | { readonly turns: readonly PlacedTurn[]; readonly isLast: boolean }
  | { readonly refused: RefusedFile }
