import readSheets from 'read-excel-file/node'
import { DatasetError } from '../datasets/dataset-error.ts'

/** A turn as one annotator read it. */
export interface MarkedTurn {
  readonly text: string
  readonly important: boolean
}

/**
 * One annotator's marks, turn by turn. In one of the published files the column of marks has lost its name; it is
 * always the one before the speaker's.
 *
 * @throws DatasetError when the first sheet has no columns `speaker` and `utterance`
 */
export async function readMarks(file: string, bytes: Buffer): Promise<MarkedTurn[]> {
  const sheets = await readSheets(bytes).catch((error: unknown) => {
    throw new DatasetError(file, 'is not a workbook (.xlsx)', error)
  })
  const rows: readonly (readonly unknown[])[] = sheets[0]?.data ?? []
  const header = (rows[0] ?? []).map((cell) => toText(cell).toLowerCase())
  const speakerAt = header.indexOf('speaker')
  const textAt = header.indexOf('utterance')
  const named = header.indexOf('important?')
  const markAt = named >= 0 ? named : speakerAt - 1
  if (speakerAt < 0 || textAt < 0 || markAt < 0) {
    throw new DatasetError(file, 'its first sheet should have the columns important?, speaker, utterance')
  }
  return rows
    .slice(1)
    .filter((row) => toText(row[speakerAt]) !== '' && toText(row[textAt]) !== '')
    .map((row) => ({ text: toText(row[textAt]), important: Number(row[markAt] ?? 0) === 1 }))
}

function toText(cell: unknown): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : ''
}
