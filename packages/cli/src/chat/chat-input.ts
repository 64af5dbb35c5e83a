import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io, Output } from '../io.ts'

/** Lets readline edit its line while a line is asked for, and keeps typed-ahead keys from showing in the middle of a reply. */
class Curtain extends Writable {
  isDrawn = true
  readonly isTTY: boolean
  readonly #output: Output

  constructor(output: Output) {
    super({ decodeStrings: false })
    this.#output = output
    this.isTTY = output.isTTY === true
    output.on('resize', () => this.emit('resize'))
  }

  get columns(): number {
    return this.#output.columns ?? 80
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isDrawn) this.#output.write(chunk)
    done()
  }
}

/** What was typed: a line, Ctrl-C on an empty one, or the end (Ctrl-D, end of the file). */
export type Typed =
  { readonly kind: 'line'; readonly text: string } | { readonly kind: 'interrupt' } | { readonly kind: 'end' }

/** Lines of a person or of a pipe, one at a time. Lines that come early wait their turn. */
export class ChatInput {
  readonly isTerminal: boolean
  /** Called for Ctrl-C while nothing is asked for. */
  onInterrupt: () => void = () => undefined
  readonly #curtain: Curtain
  readonly #io: Io
  #reader: Interface
  readonly #prompt: string
  readonly #early: string[] = []
  /** Whether there are no more lines to come. */
  #isOver = false
  #answer: ((typed: Typed) => void) | null = null

  constructor(io: Io, prompt: string) {
    this.isTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true
    this.#curtain = new Curtain(io.stderr)
    this.#prompt = prompt
    this.#io = io
    this.#reader = this.#listen()
  }

  /** Whether a line is asked for and nothing of it is typed yet. */
  get isIdle(): boolean {
    return this.#answer !== null && this.#reader.line === ''
  }

  /** Asks for the next line. */
  next(): Promise<Typed> {
    const early = this.#early.shift()
    if (early !== undefined) {
      if (this.isTerminal) this.#draw(() => this.#curtain.write(`\n${this.#prompt}${early}\n`))
      return Promise.resolve({ kind: 'line', text: early })
    }
    if (this.#isOver) return Promise.resolve({ kind: 'end' })
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#curtain.isDrawn = false
      if (!this.isTerminal) return
      this.#curtain.write('\n')
      // Keeps what was typed ahead, and shows it.
      this.#reader.prompt(true)
    })
  }

  /** Writes something above the line that is asked for. */
  above(write: () => void): void {
    if (!this.isTerminal || this.#answer === null) return write()
    this.#curtain.write('\r\u001B[0J')
    write()
    this.#reader.prompt(true)
  }

  close(): void {
    this.#isOver = true
    this.#reader.close()
  }

  #listen(): Interface {
    const reader = createInterface({
      input: this.#io.stdin,
      ...(this.isTerminal ? { output: this.#curtain } : {}),
      terminal: this.isTerminal,
      prompt: this.#prompt,
      historySize: 500,
    })
    reader.on('line', (text) => {
      if (this.#isOver) return
      if (this.#answer === null) this.#early.push(text)
      else this.#settle({ kind: 'line', text })
    })
    reader.on('SIGINT', () => this.#interrupt())
    reader.on('close', () => this.#end())
    return reader
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    // Ctrl-D ends the lines, but Ctrl-C is to be heard still while the last of the talk is read.
    if (this.isTerminal) this.#reader = this.#listen()
    this.#settle({ kind: 'end' })
  }

  #draw(write: () => void): void {
    this.#curtain.isDrawn = false
    write()
    this.#curtain.isDrawn = true
  }

  #interrupt(): void {
    if (this.#answer === null) {
      this.onInterrupt()
      return
    }
    if (this.#reader.line !== '') {
      // As in a shell: the line is given up, not the talk.
      this.#reader.write(null, { ctrl: true, name: 'e' })
      this.#reader.write(null, { ctrl: true, name: 'u' })
      return
    }
    this.#curtain.write('\n')
    this.#settle({ kind: 'interrupt' })
  }

  #settle(typed: Typed): void {
    const answer = this.#answer
    this.#answer = null
    if (answer === null) return
    if (typed.kind === 'end' && this.isTerminal) this.#curtain.write('\n')
    this.#curtain.isDrawn = true
    answer(typed)
  }
}
