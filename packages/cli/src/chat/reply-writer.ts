import stringWidth from 'string-width'
import type { Output } from '../io.ts'
import type { Style } from '../output/style.ts'

/**
 * Writes a reply as its pieces come. On a terminal words are not broken at its edge; elsewhere the reply stays as it
 * is, and ends with one line end.
 */
export class ReplyWriter {
  readonly #output: Output
  readonly #width: number
  #column = 0
  #word = ''
  #hasBegun = false

  constructor(output: Output, style: Style) {
    this.#output = output
    this.#width = output.isTTY === true ? style.width : Number.POSITIVE_INFINITY
  }

  /** @param before stands before the reply's first word. */
  write(text: string, before = ''): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      this.#output.write(before)
      this.#column = stringWidth(before)
    }
    // A word is whole once something that ends it has come. Chinese needs no such sign.
    for (const part of (this.#word + text).split(/(?<=[\s\p{sc=Han}，。！？、；：])/u)) {
      this.#word = ''
      if (/[\s\p{sc=Han}，。！？、；：]$/u.test(part)) this.#put(part)
      else this.#word = part
    }
  }

  /** Ends the reply's line, if a reply was begun. */
  end(): void {
    if (this.#word !== '') this.#put(this.#word)
    if (this.#hasBegun && this.#column > 0) this.#output.write('\n')
    this.#word = ''
    this.#column = 0
    this.#hasBegun = false
  }

  #put(word: string): void {
    const columns = stringWidth(word.trimEnd())
    if (this.#column > 0 && this.#column + columns > this.#width) {
      this.#output.write('\n')
      this.#column = 0
    }
    this.#output.write(word)
    this.#column = word.endsWith('\n') ? 0 : this.#column + stringWidth(word)
  }
}
