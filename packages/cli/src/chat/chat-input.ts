import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io, Output } from '../io.ts'

/** Mutes readline except while it prompts, so that typed-ahead keys do not show inside a reply. */
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

/** What was typed: a line, Ctrl-C on an empty one, or the end (Ctrl-D, end of file). */
export type Typed =
  { readonly kind: 'line'; readonly text: string } | { readonly kind: 'interrupt' } | { readonly kind: 'end' }

/** Reads lines from a terminal or pipe, one at a time. Early lines are queued. */
export class ChatInput {
  readonly isTerminal: boolean
  /** Called for Ctrl-C outside of a prompt. */
  onInterrupt: () => void = () => undefined
  readonly #curtain: Curtain
  readonly #io: Io
  #reader: Interface
  readonly #prompt: string
  readonly #early: string[] = []
  /** Whether the input has ended. */
  #isOver = false
  #answer: ((typed: Typed) => void) | null = null

  constructor(io: Io, prompt: string) {
    this.isTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true
    this.#curtain = new Curtain(io.stderr)
    this.#prompt = prompt
    this.#io = io
    this.#reader = this.#listen()
  }

  /** Whether the prompt is open and empty. */
  get isIdle(): boolean {
    return this.#answer !== null && this.#reader.line === ''
  }

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
      // Shows what was typed ahead.
      this.#reader.prompt(true)
    })
  }

  /** Writes above the open prompt. */
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
    // Ctrl-D ends the lines, but Ctrl-C must still work while the last turns are read.
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
      // As in a shell: drops the line, not the chat.
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
