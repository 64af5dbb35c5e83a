import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { unreadable } from './import-error.ts'

const CHUNK_BYTES = 1 << 20

/** A line of a file, and its number from 1. */
export interface Line {
  readonly text: string
  readonly number: number
}

/** A file for import, which is read several times in chunks. Only content without a file, such as stdin, is kept in memory. */
export class InputFile {
  readonly name: string
  readonly size: number
  readonly #read: (start: number, end: number) => Buffer
  readonly close: () => void

  private constructor(
    name: string,
    size: number,
    read: (start: number, end: number) => Buffer,
    close: () => void,
  ) {
    this.name = name
    this.size = size
    this.#read = read
    this.close = close
  }

  /** Opens a file by path. @throws ImportError for a file that is not text */
  static open(path: string): InputFile {
    const descriptor = openSync(path, 'r')
    return InputFile.ofDescriptor(path, descriptor, () => closeSync(descriptor))
  }

  /** Wraps an open file, and closes it if it is not text. @throws ImportError for a file that is not text */
  static ofDescriptor(name: string, descriptor: number, close: () => void = () => undefined): InputFile {
    const read = (start: number, end: number): Buffer => {
      const bytes = Buffer.allocUnsafe(end - start)
      let length = 0
      while (length < bytes.length) {
        const bytesRead = readSync(descriptor, bytes, length, bytes.length - length, start + length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return bytes.subarray(0, length)
    }
    return InputFile.#checked(new InputFile(name, fstatSync(descriptor).size, read, close))
  }

  /** Wraps content in memory, such as that of stdin. @throws ImportError for content that is not text */
  static hold(name: string, content: Buffer): InputFile {
    const read = (start: number, end: number): Buffer => content.subarray(start, end)
    return InputFile.#checked(new InputFile(name, content.length, read, () => undefined))
  }

  static #checked(input: InputFile): InputFile {
    try {
      requireText(input)
      return input
    } catch (error) {
      input.close()
      throw error
    }
  }

  text(start: number, end: number): string {
    return this.#read(start, end).toString('utf8')
  }

  *chunks(): Generator<Buffer> {
    for (let start = 0; start < this.size; start += CHUNK_BYTES) {
      yield this.#read(start, Math.min(start + CHUNK_BYTES, this.size))
    }
  }

  *lines(): Generator<Line> {
    let number = 0
    let rest: Buffer[] = []
    const finish = (last: Buffer): Line => {
      const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last])
      rest = []
      number += 1
      return { text: bytes.toString('utf8').replace(number === 1 ? /^\uFEFF|\r$/g : /\r$/, ''), number }
    }
    for (const chunk of this.chunks()) {
      let from = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        yield finish(chunk.subarray(from, end))
        from = end + 1
      }
      if (from < chunk.length) rest.push(chunk.subarray(from))
    }
    if (rest.length > 0) yield finish(Buffer.alloc(0))
  }
}

/** Refuses a file that is not text, and names common kinds. */
function requireText(input: InputFile): void {
  const [start] = input.chunks()
  if (start === undefined) throw unreadable(`${input.name} is empty.`)
  if (start.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
    throw unreadable(
      `${input.name} is a zip archive. Unpack it and import the file inside, such as conversations.json.`,
    )
  if (start[0] === 0x1f && start[1] === 0x8b)
    throw unreadable(`${input.name} is compressed with gzip. Unpack it (gunzip) and import the result.`)
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff))
    throw unreadable(`${input.name} is UTF-16 text. Save it as UTF-8.`)
  if (start.subarray(0, 8_192).includes(0)) throw unreadable(`${input.name} is not a text file.`)
  requireUtf8(input)
}

/** Refuses other encodings, whose letters would become replacement characters. */
function requireUtf8(input: InputFile): void {
  let rest: Buffer = Buffer.alloc(0)
  for (const chunk of input.chunks()) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = endOfLastCharacter(bytes)
    if (!isUtf8(bytes.subarray(0, end))) {
      const line = input.lines().find(({ text }) => text.includes('\uFFFD'))?.number ?? 1
      throw unreadable(`${input.name}:${line}: this line is not valid UTF-8. Save the file as UTF-8.`)
    }
    rest = bytes.subarray(end)
  }
}

/**
 * Returns the end of the last complete UTF-8 character, since a chunk may end within a character. A byte from 0x80 to 0xBF continues a
 * character, and the byte before these has its length.
 */
function endOfLastCharacter(bytes: Buffer): number {
  for (let distance = 1; distance <= 3; distance++) {
    const byte = bytes[bytes.length - distance] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const lengthOfThree = byte >= 0xe0 ? 3 : 2
    const length = byte >= 0xf0 ? 4 : lengthOfThree
    return length > distance ? bytes.length - distance : bytes.length
  }
  return bytes.length
}
