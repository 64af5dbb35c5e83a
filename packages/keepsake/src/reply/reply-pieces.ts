/**
 * The pieces of an answer, kept until they are read: a model that breaks off takes nothing back of what it said, and one
 * that is faster than its reader waits for nobody.
 */
export class ReplyPieces {
  readonly #pieces: string[] = []
  #end: { readonly error: unknown } | 'whole' | null = null
  #wake: () => void = () => undefined

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#wake()
  }

  /** There is no more. */
  end(): void {
    this.#end = 'whole'
    this.#wake()
  }

  /** There is no more, for this reason: the reader is told once the rest is read. */
  fail(error: unknown): void {
    this.#end = { error }
    this.#wake()
  }

  get stream(): ReadableStream<string> {
    return ReadableStream.from(this.#read())
  }

  async *#read(): AsyncGenerator<string> {
    for (;;) {
      for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) yield piece
      if (this.#end === 'whole') return
      if (this.#end !== null) throw this.#end.error
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
