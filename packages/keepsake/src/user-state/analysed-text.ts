// Analyses a text once and keeps the results: sentences, terms and vectors. Used by every step of recall.
import {
  findTerms,
  isMostlyUnspoken,
  onOneLine,
  readStatements,
  simplifyChinese,
  splitSentences,
  TextTrait,
  type CountTokens,
  type Statement,
} from '@keepsake/text'
import type { StoredDocument } from '@keepsake/search'

/** A turn with fewer distinct terms is understood only with the turn before it: “Yes, twice!”, “4:26, I did it”. */
const MIN_TERMS = 5
/** A turn of at least this length is understood by itself, even if it has few terms. */
const MIN_CHARACTERS = 80
/** Characters of a turn that are examined for quotations. */
export const MAX_EXAMINED = 20_000
/** Matches pieces of a long sentence. They end between words if possible. */
const SENTENCE_PIECE = /.{1,600}(?=\s|$)|.{1,600}/gsu
/** Matches clauses with the mark that ends them. */
const CLAUSE = /.+?(?:[,;:—](?=\s)|[，；：]|$)/gsu
/** Characters of a text that are read for statements. */
const MAX_STATEMENT_CHARACTERS = 8_000
/** Maximum number of analysed texts that are cached for a user. */
const MAX_TEXTS = 1_024
/** Bytes of an analysed text on the heap, measured roughly. */
const TEXT_BYTES = 1_500

/** Matches words by which an agent speaks about the user: “You are …”, “your sister …”. */
const ABOUT_USER = /\b(?:you|your|you['’](?:re|ve|d|ll))\b|[你您]/i
const IS_QUESTION = /[?？]\s*["'”’)）]*$/

/** A part of a text's line, which is kept or left out as a whole when the text is shortened. */
export interface Part {
  readonly start: number
  readonly end: number
  /** The terms, computed when first needed. */
  terms?: readonly string[]
}

/** A sentence that states something, and its terms, computed when first needed. */
export interface StatedSentence extends Statement {
  terms?: readonly string[]
}

/** A text with results of its analysis, which do not depend on a question. Each is computed once, when first needed. */
export class AnalysedText {
  readonly text: string
  readonly #stored: () => StoredDocument | undefined
  #line: string | undefined
  #counted: { readonly countTokens: CountTokens; readonly tokens: number } | undefined
  #quoted: string | undefined
  #terms: ReadonlySet<string> | undefined
  #bits: number | undefined
  #clauses: readonly Part[] | undefined
  #sentences: readonly Part[] | undefined
  #prompt: AnalysedText | undefined
  #statements: readonly StatedSentence[] | undefined
  #isElliptic: boolean | undefined
  #isQuoting: boolean | undefined
  #isAboutUser: boolean | undefined

  /** @param stored finds the index document of exactly this text */
  constructor(text: string, stored: () => StoredDocument | undefined = () => undefined) {
    this.text = text
    this.#stored = stored
  }

  /** The text on one line. */
  get line(): string {
    return (this.#line ??= onOneLine(this.text))
  }

  /** Tokens of the line. The count of the last counter is kept. */
  countTokens(countTokens: CountTokens): number {
    if (this.#counted?.countTokens !== countTokens)
      this.#counted = { countTokens, tokens: countTokens(this.line) }
    return this.#counted.tokens
  }

  /** The text on one line in quotation marks, so that nothing in it reads as structure or instruction. */
  get quoted(): string {
    return (this.#quoted ??= JSON.stringify(this.line))
  }

  get terms(): ReadonlySet<string> {
    return (this.#terms ??= new Set(this.#stored()?.terms ?? findTerms(this.text)))
  }

  /**
   * A signature of the terms: each sets one bit. If a text lacks a bit of another text, it lacks one of its terms. This spares most
   * comparisons of terms.
   */
  get bits(): number {
    return (this.#bits ??= (this.#stored()?.terms ?? [...this.terms]).reduce(
      (bits, term) => bits | bitOf(term),
      0,
    ))
  }

  /** The sentences of the line. */
  get sentences(): readonly Part[] {
    return (this.#sentences ??= splitSentences(this.line).flatMap((sentence) =>
      partsOf(sentence, SENTENCE_PIECE),
    ))
  }

  /** The clauses of those sentences. */
  get clauses(): readonly Part[] {
    return (this.#clauses ??= this.sentences.flatMap(({ start, end }) =>
      partsOf({ text: this.line.slice(start, end), start }, CLAUSE),
    ))
  }

  /** Its last question, or else its last sentence, which is what a reply answers. */
  get prompt(): AnalysedText {
    return (this.#prompt ??= promptOf(this))
  }

  /** The sentences that neither ask nor suppose something, in simplified characters. */
  get statements(): readonly StatedSentence[] {
    return (this.#statements ??= readStatements(
      simplifyChinese(this.text.slice(0, MAX_STATEMENT_CHARACTERS)),
    ))
  }

  /** Whether the turn before it is needed to understand it. */
  get isElliptic(): boolean {
    return (this.#isElliptic ??= this.text.length < MIN_CHARACTERS && this.terms.size < MIN_TERMS)
  }

  /** Whether most of it is quoted or pasted, so that the words are not the speaker's own. */
  get isQuoting(): boolean {
    if (this.#isQuoting !== undefined) return this.#isQuoting
    const document = this.#stored()
    return (this.#isQuoting =
      document?.role === 'user'
        ? (document.traits & TextTrait.quoting) !== 0
        : isMostlyUnspoken(this.text.slice(0, MAX_EXAMINED)))
  }

  /** Whether it states something about the person it is said to. */
  get isAboutUser(): boolean {
    return (this.#isAboutUser ??= splitSentences(this.text).some(
      ({ text }) => ABOUT_USER.test(text) && !IS_QUESTION.test(text),
    ))
  }
}

function bitOf(term: string): number {
  return 1 << (term.charCodeAt(0) + 7 * term.charCodeAt(term.length - 1) + 13 * term.length)
}

function partsOf(
  { text, start }: { readonly text: string; readonly start: number },
  pattern: RegExp,
): Part[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index }): Part[] => {
    const part = found.trim()
    const from = start + index + found.indexOf(part)
    return part === '' ? [] : [{ start: from, end: from + part.length }]
  })
}

function promptOf(whole: AnalysedText): AnalysedText {
  const sentences = splitSentences(whole.text)
  const prompt = sentences.findLast(({ text }) => IS_QUESTION.test(text)) ?? sentences.at(-1)
  return prompt === undefined ? whole : new AnalysedText(prompt.text)
}

/**
 * Caches the analysed texts of one user.
 *
 * @example
 * const texts = new AnalysedTexts()
 * texts.of('I lost\n my keys.').line // 'I lost my keys.'
 */
export class AnalysedTexts {
  readonly #texts = new Map<string, AnalysedText>()
  readonly #stored: (turn: string, text: string) => StoredDocument | undefined

  /** @param stored finds the index document of a turn, if this is its whole text */
  constructor(stored: (turn: string, text: string) => StoredDocument | undefined = () => undefined) {
    this.#stored = stored
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    return this.#texts.size * TEXT_BYTES
  }

  /** Returns the analysed text. @param turn id of the turn with this text */
  of(text: string, turn?: string): AnalysedText {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const stored = turn === undefined ? undefined : () => this.#stored(turn, text)
    const analysed = new AnalysedText(text, stored)
    this.#texts.set(text, analysed)
    const [oldest] = this.#texts.size > MAX_TEXTS ? this.#texts.keys() : []
    if (oldest !== undefined) this.#texts.delete(oldest)
    return analysed
  }
}
