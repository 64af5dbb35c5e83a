import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { streamArray } from 'stream-json/streamers/stream-array.js'
import { DatasetError } from './dataset-error.ts'
import { hashFiles, readText } from './read-input.ts'

/** An entry of a file. */
export interface DatasetRecord {
  /** The entry's name in errors: `line 3` or `item 12`. */
  readonly where: string
  readonly value: unknown
}

/** A file of many entries. It was read once to be counted and hashed, and can be read again. */
export interface RecordFile {
  readonly file: string
  /** sha256, as `hashFiles` makes it. */
  readonly dataHash: string
  readonly size: number
  /** Reads the entries one by one. */
  records(): AsyncIterable<DatasetRecord>
}

/** Opens a JSON Lines file of any length, skipping blank lines. @throws DatasetError if it is absent, empty or not JSON */
export function openJsonLines(file: string): Promise<RecordFile> {
  return openRecords(file, readJsonLines, 'it should hold a JSON object a line')
}

/** Opens a file that is one JSON list of any length. @throws DatasetError if it is absent, empty or not a list */
export function openJsonArray(file: string): Promise<RecordFile> {
  return openRecords(file, readItems, 'its list has no items')
}

/** Reads the whole file once, so that mistakes are reported before anything is measured. */
async function openRecords(
  file: string,
  read: (file: string) => AsyncIterable<DatasetRecord>,
  problemIfEmpty: string,
): Promise<RecordFile> {
  const records = () => read(file)
  let size = 0
  for await (const _ of records()) size++
  if (size === 0) throw new DatasetError(file, `is empty: ${problemIfEmpty}`)
  return { file, dataHash: await hashFiles([{ name: basename(file), path: file }]), size, records }
}

async function* readJsonLines(file: string): AsyncGenerator<DatasetRecord> {
  let number = 0
  for await (const line of readLines(file)) {
    number++
    if (line.trim() === '') continue
    const where = `line ${number}`
    try {
      yield { where, value: JSON.parse(line) }
    } catch (error) {
      throw new DatasetError(file, `${where} is not JSON`, error)
    }
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readText(file)) {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      yield rest + line
      rest = ''
    }
    rest += last
  }
  yield rest
}

async function* readItems(file: string): AsyncGenerator<DatasetRecord> {
  // Reads one item ahead. The default of sixteen would take 80 MB for LongMemEval M.
  const options = { streamValues: false, readableHighWaterMark: 1 }
  const items = streamArray.withParserAsStream(options)
  // Errors of both streams reach the loop below, so this callback does nothing.
  pipeline(Readable.from(readText(file)), items, () => undefined)
  let index = 0
  try {
    for await (const { value } of items as AsyncIterable<{ readonly value: unknown }>) {
      yield { where: `item ${index}`, value }
      index++
    }
  } catch (error) {
    if (error instanceof DatasetError) throw error
    throw new DatasetError(file, `should be one JSON list, and item ${index} of it cannot be read`, error)
  }
}
