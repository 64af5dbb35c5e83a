import { createInterface, type Interface } from 'node:readline/promises'
import type { Io } from '../io.ts'

/** A line, Ctrl-C on an empty line, or the end of the input (Ctrl-D or end of file). */
export type InputEvent =
  { readonly kind: 'line'; readonly text: string } | { readonly kind: 'interrupt' } | { readonly kind: 'end' }

/** Reads lines from a terminal or pipe one at a time. Queues lines that arrive before the prompt. */
export class ChatInput {
  readonly isTerminal: boolean
  /** Called for Ctrl-C outside of a prompt. */
  onInterrupt: () => void = () => undefined
  readonly #io: Io
  readonly #prompt: string
  #reader: Interface
  readonly #queuedLines: string[] = []
  #hasEnded = false
  /** Receives the next event; `null` while no prompt is open. */
  #answer: ((event: InputEvent) => void) | null = null

  constructor(io: Io, prompt: string) {
    this.isTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true
    this.#io = io
    this.#prompt = prompt
    this.#reader = this.#listen()
  }

  /** Whether the prompt is open and empty. */
  get isIdle(): boolean {
    return this.#answer !== null && this.#reader.line === ''
  }

  next(): Promise<InputEvent> {
    const queued = this.#queuedLines.shift()
    if (queued !== undefined) return Promise.resolve({ kind: 'line', text: queued })
    if (this.#hasEnded) return Promise.resolve({ kind: 'end' })
    return new Promise((resolve) => {
      this.#answer = resolve
      // Keeps the keys that were typed before the prompt.
      if (this.isTerminal) this.#reader.prompt(true)
    })
  }

  /** Writes above the open prompt. */
  writeAbove(write: () => void): void {
    if (!this.isTerminal || this.#answer === null) return write()
    // Clears the prompt: to the line's start, then to the screen's end.
    this.#io.stderr.write('\r\u001B[0J')
    write()
    this.#reader.prompt(true)
  }

  close(): void {
    this.#hasEnded = true
    this.#reader.close()
  }

  #listen(): Interface {
    const reader = createInterface({
      input: this.#io.stdin,
      ...(this.isTerminal ? { output: this.#io.stderr } : {}),
      terminal: this.isTerminal,
      prompt: this.#prompt,
    })
    reader.on('line', (text) => {
      if (this.#answer === null) this.#queuedLines.push(text)
      else this.#resolve({ kind: 'line', text })
    })
    reader.on('SIGINT', () => this.#interrupt())
    reader.on('close', () => this.#end())
    return reader
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    // Ctrl-D ends the lines, but Ctrl-C must still work while the last turns are read.
    if (this.isTerminal) this.#reader = this.#listen()
    this.#resolve({ kind: 'end' })
  }

  #interrupt(): void {
    if (this.#answer === null) this.onInterrupt()
    else if (this.#reader.line === '') this.#resolve({ kind: 'interrupt' })
    else {
      // Ctrl-C clears the line, as in a shell, and does not end the chat: Ctrl-E goes to the line's end, Ctrl-U clears up to there.
      this.#reader.write(null, { ctrl: true, name: 'e' })
      this.#reader.write(null, { ctrl: true, name: 'u' })
    }
  }

  #resolve(event: InputEvent): void {
    const answer = this.#answer
    this.#answer = null
    if (event.kind !== 'line' && this.isTerminal) this.#io.stderr.write('\n')
    answer?.(event)
  }
}
