import { type AttachmentInput, given, textWithAttachments } from '@keepsake/text/names'
import { parse } from 'csv-parse/sync'
import { COLUMNS } from './csv-head.ts'
import { decideDateOrder } from './decide-date-order.ts'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import type { LeftOut } from './left-out.ts'
import { inSessions, withIds } from './name-turns.ts'
import { findUser, SINCE_1970, timeOf } from './read-chat-format.ts'
import { personNamed, roleOf } from './speaking.ts'
import { timeOfMessage, readStamped, type StampedMessage } from './stamped-lines.ts'

interface Row {
  readonly line: number
  readonly text: string
  readonly speaker: string | undefined
  readonly time: string
  readonly id: string | undefined
}

/** Reads a table with a column of messages, and optional ones of speakers, times, ids and files. @throws ImportError */
export function readCsv(input: InputFile, settings: ImportSettings): ImportSource {
  const rows = readRows(input)
  const counts = new Map<string, number>()
  for (const { speaker } of rows)
    if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  const { user, note } = findUser(input.name, counts, settings)
  const stamps = new Map(rows.map((row) => [row, ambiguousDateOf(row)]))
  const { order, note: orderNote } = decideDateOrder(
    [...stamps.values()].flatMap((stamp) => stamp ?? []),
    input.name,
    settings,
  )
  function* readTurns(leftOut: LeftOut): Generator<PlacedTurn> {
    for (const row of rows) {
      const { text, speaker, id, line, time } = row
      if (text === '') {
        leftOut.add('wordless')
        continue
      }
      const where = `${input.name}:${line}`
      const stamp = stamps.get(row) ?? null
      const at =
        stamp === null ? timeOf(time, where, settings) : timeOfMessage(stamp, order, input.name, settings)
      const roleInCell = speaker === undefined ? null : roleOf(speaker)
      if (roleInCell === 'machine') leftOut.add('machinery')
      else {
        const role =
          roleInCell ?? (speaker === undefined || user === null || speaker === user ? 'user' : 'assistant')
        const speakerField = roleInCell === null ? { speaker } : {}
        const turn = {
          role,
          text,
          ...given({ ...speakerField, at, id: id === undefined ? undefined : `csv-${id}` }),
        }
        yield { ...UNPLACED, user: personNamed(user), where, turn }
      }
    }
  }
  return {
    name: input.name,
    format: 'csv',
    turns: (leftOut) => inSessions('csv', withIds('csv', readTurns(leftOut))),
    notes: [note, orderNote].filter((sentence) => sentence !== null),
  }
}

/** Reads the rows of a table by the names of its columns. */
function readRows(input: InputFile): Row[] {
  const delimiters = delimitersOf(input)
  const [delimiter = ','] = delimiters
  const [head, ...rows] = parseTable(input, delimiters)
  const names = head?.record ?? []
  const find = (column: RegExp): number => names.findIndex((name) => column.test(name.trim()))
  const { text: texts, ...others } = COLUMNS
  const text = find(texts)
  const [speaker, time, id, attachments] = [others.speaker, others.time, others.id, others.attached].map(find)
  if (text === -1)
    throw unreadable(
      `${input.name}: no column holds messages. The columns are ${names.join(', ')}; name one "text".`,
    )
  // The text may contain the delimiter without quotation marks. In the last column, the cells are joined again.
  const textCell = (record: readonly string[], where: string): string => {
    const isTooLong = record.length > names.length && record.slice(names.length).join('').trim() !== ''
    if (!isTooLong) return cell(record, text)
    if (text === names.length - 1) return record.slice(text).join(delimiter).trim()
    throw unreadable(`${where}: there are more cells than columns. Put the text into quotation marks.`)
  }
  const cell = (record: readonly string[], column: number | undefined): string =>
    column === undefined ? '' : (record[column] ?? '').trim()
  return rows.map(({ record, info }) => ({
    line: info.lines,
    text: textWithAttachments(
      textCell(record, `${input.name}:${info.lines}`),
      parseFiles(cell(record, attachments)),
    ),
    speaker: cell(record, speaker) || undefined,
    time: cell(record, time),
    id: cell(record, id) || undefined,
  }))
}

/** Reads the files of a cell: URLs or paths, separated by commas. */
function parseFiles(cell: string): AttachmentInput[] {
  const urls = cell.split(/,\s*/).filter((url) => url !== '')
  return urls.map((url) => ({
    type: 'file',
    url,
    name: url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1),
  }))
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Returns the marks in the first line that may separate columns. */
function delimitersOf(input: InputFile): string[] {
  const [head = ''] = input.text(0, 4_096).split(/\r?\n/)
  return [',', ';', '\t'].filter((mark) => head.includes(mark))
}

function parseTable(input: InputFile, delimiter: string[]): CsvRecord[] {
  try {
    return parse(input.text(0, input.size), {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRecord[]
  } catch (error) {
    throw unreadable(`${input.name}: ${error instanceof Error ? error.message : 'this is no table'}.`)
  }
}

/** Parses a date such as 3/4/2026, whose order of day and month the other rows decide. Returns `null` for ISO 8601 and numbers. */
function ambiguousDateOf({ time, line }: Row): StampedMessage | null {
  if (/^\d{4}-\d\d-\d\d[T ]/.test(time) || SINCE_1970.test(time)) return null
  const moment = time.includes(':') ? time : `${time} 00:00`
  const [stamped] = readStamped([{ text: `[${moment}] x: x`, number: line }])
  return stamped ?? null
}
