import { unreadable } from './import-error.ts'
import type { InputFile } from './input-file.ts'

/** The path of a value: keys, and indexes from 0. */
export type JsonPath = readonly (string | number)[]
/** A value's first character: an object, a list, or a scalar. */
export type JsonKind = '{' | '[' | 'scalar'
/** The treatment of a value: return its range, enter it, or skip it. */
export type Action = 'take' | 'enter' | 'skip'
export type Choose = (path: JsonPath, kind: JsonKind) => Action

/** The byte range of a chosen value, and its first line. */
export interface Span {
  readonly path: JsonPath
  readonly start: number
  readonly end: number
  readonly line: number
}

/** An object or list that the scanner has entered. */
interface Frame {
  readonly kind: '{' | '[' | 'root'
  /** The key of the next or last value. */
  key: string
  index: number
}

/** A value or key that the scanner reads to its end. `depth` counts its open brackets. */
interface OpenValue {
  readonly choice: 'take' | 'skip' | 'key'
  readonly start: number
  readonly line: number
  depth: number
  isQuoted: boolean
  isEscaped: boolean
}

/** The structure that must come next. `next` is a comma or a closing bracket. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'next'

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
const WHITESPACE: ReadonlySet<number> = new Set([9, 10, 13, 32])
const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92]
const OPENING: Readonly<Record<number, '{' | '['>> = { 123: '{', 91: '[' }
const CLOSING: Readonly<Record<number, '{' | '['>> = { 125: '{', 93: '[' }

/** Finds values in JSON of any size, with their byte ranges and lines, which streaming libraries do not report. @throws ImportError */
export function* scanJson(input: InputFile, chooseAction: Choose): Generator<Span> {
  const scanner = new JsonScanner(input, chooseAction)
  for (const chunk of input.chunks()) yield* scanner.read(chunk)
  yield* scanner.end()
}

/** Scans JSON chunk by chunk. `scanJson` scans a whole file. */
export class JsonScanner {
  readonly #input: InputFile
  readonly #chooseAction: Choose
  readonly #frames: Frame[] = [{ kind: 'root', key: '', index: -1 }]
  #expected: Expected = 'value'
  #value: OpenValue | null = null
  #offset = 0
  #line = 1

  constructor(input: InputFile, choose: Choose) {
    this.#input = input
    this.#chooseAction = choose
  }

  *read(chunk: Buffer): Generator<Span> {
    let index = this.#offset === 0 && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
    while (index < chunk.length) {
      if (this.#value !== null) {
        const { next, isClosed } = this.#continueValue(this.#value, chunk, index)
        index = next
        if (isClosed) yield* this.#endValue(this.#value, this.#offset + index)
        continue
      }
      const byte = chunk[index] ?? 0
      if (byte === 10) this.#line += 1
      // Reads the byte that begins a value again, as the first byte of the value.
      if (WHITESPACE.has(byte) || !this.#readStructure(byte, this.#offset + index)) index += 1
    }
    this.#offset += chunk.length
  }

  *end(): Generator<Span> {
    const open = this.#value
    if (open !== null && open.depth === 0 && !open.isQuoted) yield* this.#endValue(open, this.#offset)
    if (this.#value !== null || this.#frames.length > 1)
      throw this.#error('it ends in the middle', open?.line)
  }

  /** Reads on within a value, to its end or the end of the chunk. */
  #continueValue(value: OpenValue, chunk: Buffer, from: number): { next: number; isClosed: boolean } {
    for (let index = from; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0
      if (byte === 10) this.#line += 1
      if (value.isQuoted) {
        if (value.isEscaped) value.isEscaped = false
        else if (byte === BACKSLASH) value.isEscaped = true
        else if (byte === QUOTE) {
          value.isQuoted = false
          if (value.depth === 0) return { next: index + 1, isClosed: true }
        }
      } else if (byte === QUOTE) value.isQuoted = true
      else if (byte in OPENING) value.depth += 1
      else if (byte in CLOSING && value.depth > 0) {
        value.depth -= 1
        if (value.depth === 0) return { next: index + 1, isClosed: true }
      } else if (value.depth === 0 && (byte in CLOSING || byte === COMMA || WHITESPACE.has(byte))) {
        // Reads the byte after a number or literal again, because it is not part of the value.
        if (byte === 10) this.#line -= 1
        return { next: index, isClosed: true }
      }
    }
    return { next: chunk.length, isClosed: false }
  }

  *#endValue(value: OpenValue, end: number): Generator<Span> {
    this.#value = null
    const { choice, start, line } = value
    if (choice === 'key') {
      this.#top.key = this.#readKey(start, end)
      this.#expected = 'colon'
      return
    }
    this.#expected = 'next'
    if (choice === 'take') yield { path: this.#path, start, end, line }
  }

  #readKey(start: number, end: number): string {
    try {
      return JSON.parse(this.#input.text(start, end)) as string
    } catch {
      throw this.#error('a key cannot be read')
    }
  }

  /** Reads a structural byte. @returns whether the byte begins a value or key, and must be read again */
  #readStructure(byte: number, offset: number): boolean {
    const top = this.#top
    const closes = CLOSING[byte]
    if (closes !== undefined && closes === top.kind && /end|next/.test(this.#expected)) {
      this.#frames.pop()
      this.#expected = 'next'
      return false
    }
    switch (this.#expected) {
      case 'colon':
        if (byte !== COLON) throw this.#error('a colon is missing')
        this.#expected = 'value'
        return false
      case 'key':
      case 'key or end':
        if (byte !== QUOTE) throw this.#error('a key is missing')
        this.#value = this.#openValue('key', offset)
        return true
      case 'next':
        if (top.kind === 'root') return this.#beginValue(byte, offset)
        if (byte !== COMMA) throw this.#error('a comma is missing')
        this.#expected = top.kind === '{' ? 'key' : 'value'
        return false
      case 'value':
      case 'value or end':
        return this.#beginValue(byte, offset)
    }
  }

  /** Begins a value, or enters an object or list. @returns whether the byte must be read again */
  #beginValue(byte: number, offset: number): boolean {
    if (byte in CLOSING || byte === COMMA || byte === COLON) throw this.#error('a value is missing')
    this.#top.index += 1
    const kind = OPENING[byte] ?? 'scalar'
    const choice = this.#chooseAction(this.#path, kind)
    if (choice === 'enter' && kind !== 'scalar') {
      this.#frames.push({ kind, key: '', index: -1 })
      this.#expected = kind === '{' ? 'key or end' : 'value or end'
      return false
    }
    this.#value = this.#openValue(choice === 'take' ? 'take' : 'skip', offset)
    return true
  }

  #openValue(choice: OpenValue['choice'], start: number): OpenValue {
    return { choice, start, line: this.#line, depth: 0, isQuoted: false, isEscaped: false }
  }

  get #top(): Frame {
    const top = this.#frames.at(-1)
    if (top === undefined) throw this.#error('a closing bracket has no opening one')
    return top
  }

  get #path(): JsonPath {
    return this.#frames.flatMap(({ kind, key, index }) =>
      kind === 'root' ? [] : [kind === '{' ? key : index],
    )
  }

  #error(problem: string, line = this.#line): Error {
    return unreadable(`${this.#input.name}:${line}: this is not JSON: ${problem}.`)
  }
}
