export { ImportError, type ImportQuestion } from './import-error.ts'
export {
  DATE_ORDERS,
  type DateOrder,
  type ImportSettings,
  type ImportSource,
  type PlacedTurn,
} from './import-source.ts'
export { TurnImport, type ImportResult, type ImportTarget } from './import-turns.ts'
export { InputFile, type Line } from './input-file.ts'
export { LEFT_OUT_REASONS, LeftOut, type LeftOutReason } from './left-out.ts'
export { openSource } from './open-source.ts'
export { FORMATS, READ_FORMATS, recogniseFormat, type Format, type ReadFormat } from './recognise-format.ts'
export { findSlackNames, readSlackNames, slackFilesIn } from './slack-names.ts'
export { surveyExport, type ExportSurvey } from './survey-export.ts'
export { sayNothingFound, surveySource, type FileSurvey } from './survey-source.ts'
export { FileReading, RefusedFileError, type ReadingLimits } from './apart/read-apart.ts'
export type { FileHolds, ReadingWork } from './apart/reading-messages.ts'
