import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { streamArray } from 'stream-json/streamers/stream-array.js'
import { DatasetError } from './dataset-error.ts'
import { hashFiles } from './hash-files.ts'
import { readChunks } from './read-input.ts'
import type { DatasetRecord, RecordFile } from './record-file.ts'

/** Opens a file that is one JSON list of any length. @throws DatasetError when it is absent, empty or no list. */
export async function openJsonArray(file: string): Promise<RecordFile> {
  const counter = new ItemCounter()
  const onChunk = (chunk: Buffer): void => counter.add(chunk)
  const dataHash = await hashFiles([{ name: basename(file), path: file, onChunk }])
  if (!counter.isList) throw new DatasetError(file, 'should hold a list: `[`, then an object an item')
  if (!counter.isClosed) throw new DatasetError(file, 'is cut short: its list is not closed')
  if (counter.items === 0) throw new DatasetError(file, 'is empty: its list has no items')
  return { file, dataHash, size: counter.items, records: () => readItems(file) }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const SPACE = 0x20
const LAST_ASCII = 0x7f

/**
 * Counts the items of the outermost list, a piece of the file at a time: the pass that hashes gigabytes need not
 * also parse them. All bytes that JSON's structure is made of are ASCII, so no decoding is needed.
 */
class ItemCounter {
  items = 0
  isList = false
  #depth = 0
  #hasBegun = false
  #isInItem = false
  #isInString = false
  #isEscaped = false

  get isClosed(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isInString
  }

  add(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#isInString) at = this.#skipString(chunk, at)
      else this.#readStructure(chunk[at++] ?? SPACE)
    }
  }

  /** Where the string's end, or the piece's, leaves off. Nearly all bytes are in strings: this is the inner loop. */
  #skipString(chunk: Buffer, from: number): number {
    let isEscaped = this.#isEscaped
    let at = from
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) break
    }
    this.#isEscaped = isEscaped
    this.#isInString = at === chunk.length
    return at + 1
  }

  #readStructure(byte: number): void {
    if (byte <= SPACE || (!this.#hasBegun && byte > LAST_ASCII)) return
    if (!this.#hasBegun) this.isList = byte === LIST
    this.#hasBegun = true
    const ends = byte === LIST_END || byte === OBJECT_END
    if (this.#depth === 1 && byte === COMMA) this.#isInItem = false
    else if (this.#depth === 1 && !ends && !this.#isInItem) {
      this.#isInItem = true
      this.items++
    }
    if (ends) this.#depth--
    else if (byte === LIST || byte === OBJECT) this.#depth++
    else if (byte === QUOTE) this.#isInString = true
  }
}

async function* readItems(file: string): AsyncGenerator<DatasetRecord> {
  let index = 0
  try {
    for await (const { value } of parseItems(file)) {
      yield { where: `item ${index}`, value }
      index++
    }
  } catch (error) {
    if (error instanceof DatasetError) throw error
    throw new DatasetError(file, `item ${index} is not JSON`, error)
  }
}

function parseItems(file: string): AsyncIterable<{ readonly value: unknown }> {
  // One item ahead at most: sixteen, the default, are 80 MB of LongMemEval M.
  const options = { streamValues: false, readableHighWaterMark: 1 }
  const items = streamArray.withParserAsStream(options)
  // What goes wrong in either stream reaches the reader of the second: the callback has nothing left to say.
  pipeline(Readable.from(readText(file)), items, () => undefined)
  return items
}

async function* readText(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let read = 0
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch (error) {
      throw new DatasetError(
        file,
        `is not UTF-8 between bytes ${read} and ${read + (bytes?.length ?? 0)}`,
        error,
      )
    }
  }
  for await (const chunk of readChunks(file)) {
    yield decode(chunk)
    read += chunk.length
  }
  yield decode()
}
