import type { ImportQuestion } from '../import-error.ts'
import type { ImportSettings, PlacedTurn } from '../import-source.ts'
import type { Format, ReadFormat } from '../recognise-format.ts'
import type { ExportSurvey } from '../survey-export.ts'
import type { FileSurvey } from '../survey-source.ts'

/** What a thread is to read. */
export interface ReadingWork {
  /** Of the open file. Threads share those of their process. */
  readonly descriptor: number
  /** What the file is called in sentences. */
  readonly name: string
  /** What it is; told by what it holds when absent. */
  readonly format?: ReadFormat | undefined
  readonly settings: ImportSettings
}

/** What a file holds, gone through whole. */
export type FileHolds =
  | { readonly kind: 'turns'; readonly survey: FileSurvey }
  | { readonly kind: 'export'; readonly survey: ExportSurvey }

/** Why a file cannot be read as it is. */
export interface RefusedFile {
  readonly message: string
  readonly question: ImportQuestion | null
  /** What it was taken for, as far as that was told. */
  readonly format: Format | null
}

/** What a thread says: first what the file holds, then turns each time it is asked for more. */
export type ReadingNews =
  | { readonly holds: FileHolds }
  | { readonly turns: readonly PlacedTurn[]; readonly isLast: boolean }
  | { readonly refused: RefusedFile }
