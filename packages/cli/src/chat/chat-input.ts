import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io, Output } from '../io.ts'

/** Mutes readline except while it prompts, so that typed-ahead keys do not show inside a reply. */
class MutedOutput extends Writable {
  isMuted = true
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
    if (!this.isMuted) this.#output.write(chunk)
    done()
  }
}

/** A line, Ctrl-C on an empty line, or the end of the input (Ctrl-D or end of file). */
export type InputEvent =
  { readonly kind: 'line'; readonly text: string } | { readonly kind: 'interrupt' } | { readonly kind: 'end' }

/** Reads lines from a terminal or pipe one at a time. Queues lines that arrive before the prompt. */
export class ChatInput {
  readonly isTerminal: boolean
  /** Called for Ctrl-C outside of a prompt. */
  onInterrupt: () => void = () => undefined
  readonly #output: MutedOutput
  readonly #cliIo: Io
  #reader: Interface
  readonly #prompt: string
  readonly #queuedLines: string[] = []
  #isOver = false
  #answer: ((typed: InputEvent) => void) | null = null

  constructor(io: Io, prompt: string) {
    this.isTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true
    this.#output = new MutedOutput(io.stderr)
    this.#prompt = prompt
    this.#cliIo = io
    this.#reader = this.#listen()
  }

  /** Whether the prompt is open and empty. */
  get isIdle(): boolean {
    return this.#answer !== null && this.#reader.line === ''
  }

  next(): Promise<InputEvent> {
    const queued = this.#queuedLines.shift()
    if (queued !== undefined) {
      if (this.isTerminal) this.#unmuted(() => this.#output.write(`\n${this.#prompt}${queued}\n`))
      return Promise.resolve({ kind: 'line', text: queued })
    }
    if (this.#isOver) return Promise.resolve({ kind: 'end' })
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#output.isMuted = false
      if (!this.isTerminal) return
      this.#output.write('\n')
      // Shows the keys that were typed before the prompt.
      this.#reader.prompt(true)
    })
  }

  /** Writes above the open prompt. */
  above(write: () => void): void {
    if (!this.isTerminal || this.#answer === null) return write()
    this.#output.write('\r\u001B[0J')
    write()
    this.#reader.prompt(true)
  }

  close(): void {
    this.#isOver = true
    this.#reader.close()
  }

  #listen(): Interface {
    const reader = createInterface({
      input: this.#cliIo.stdin,
      ...(this.isTerminal ? { output: this.#output } : {}),
      terminal: this.isTerminal,
      prompt: this.#prompt,
      historySize: 500,
    })
    reader.on('line', (text) => {
      if (this.#isOver) return
      if (this.#answer === null) this.#queuedLines.push(text)
      else this.#resolve({ kind: 'line', text })
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
    this.#resolve({ kind: 'end' })
  }

  #unmuted(write: () => void): void {
    this.#output.isMuted = false
    write()
    this.#output.isMuted = true
  }

  #interrupt(): void {
    if (this.#answer === null) {
      this.onInterrupt()
      return
    }
    if (this.#reader.line !== '') {
      // Ctrl-C clears the line, as in a shell, and does not end the chat.
      this.#reader.write(null, { ctrl: true, name: 'e' })
      this.#reader.write(null, { ctrl: true, name: 'u' })
      return
    }
    this.#output.write('\n')
    this.#resolve({ kind: 'interrupt' })
  }

  #resolve(typed: InputEvent): void {
    const answer = this.#answer
    this.#answer = null
    if (answer === null) return
    if (typed.kind === 'end' && this.isTerminal) this.#output.write('\n')
    this.#output.isMuted = true
    answer(typed)
  }
}
