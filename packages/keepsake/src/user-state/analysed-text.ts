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

/** A turn with fewer distinct terms needs what it answers: “Yes, twice!”, “4:26, I did it”. */
const MIN_TERMS = 5
/** A turn of this many characters is understood by itself, whatever its words. */
const MIN_CHARACTERS = 80
/** Characters of a turn that are examined for quotations. */
export const MAX_EXAMINED = 20_000
/** Matches pieces of a text without full stops, which end between words. */
const LONGEST_PART = /.{1,600}(?=\s|$)|.{1,600}/gsu
/** Matches clauses with the mark that ends them. */
const CLAUSE = /.+?(?:[,;:—](?=\s)|[，；：]|$)/gsu
/** Characters of a text that are read for statements. */
const MAX_STATED = 8_000
/** Texts of one user that stay analysed. */
const MAX_TEXTS = 1_024
/** Bytes that an analysed text takes on the heap, measured roughly. */
const TEXT_BYTES = 1_500

/** “You are …”, “your sister …”: an agent's statement about the user, not a question to them. */
const ABOUT_USER = /\b(?:you|your|you['’](?:re|ve|d|ll))\b|[你您]/i
const IS_QUESTION = /[?？]\s*["'”’)）]*$/

/** A part of a text's one line, which is kept or left out as a whole when the text is shortened. */
export interface Part {
  readonly start: number
  readonly end: number
  /** Found when first needed. */
  terms?: readonly string[]
}

/** A sentence that states something, and its terms, found when first needed. */
export interface StatedSentence extends Statement {
  terms?: readonly string[]
}

/** A text and what is computed of it once, when first needed: the same whatever question it answers. */
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

  /** The terms as bits of a number: what lacks a bit lacks a term. Most texts differ in these, and need no look at their terms. */
  get bits(): number {
    return (this.#bits ??= (this.#stored()?.terms ?? [...this.terms]).reduce(
      (bits, term) => bits | bitOf(term),
      0,
    ))
  }

  /** The sentences of the line. */
  get sentences(): readonly Part[] {
    return (this.#sentences ??= splitSentences(this.line).flatMap((sentence) =>
      partsOf(sentence, LONGEST_PART),
    ))
  }

  /** The clauses of those sentences. */
  get clauses(): readonly Part[] {
    return (this.#clauses ??= this.sentences.flatMap(({ start, end }) =>
      partsOf({ text: this.line.slice(start, end), start }, CLAUSE),
    ))
  }

  /** The question with which it ends, or its last sentence: what a reply to it answers. */
  get prompt(): AnalysedText {
    return (this.#prompt ??= promptOf(this))
  }

  /** Its sentences that neither ask nor suppose, in simplified characters. */
  get statements(): readonly StatedSentence[] {
    return (this.#statements ??= readStatements(simplifyChinese(this.text.slice(0, MAX_STATED))))
  }

  /** Whether it needs the turn before it to be understood. */
  get isElliptic(): boolean {
    return (this.#isElliptic ??= this.text.length < MIN_CHARACTERS && this.terms.size < MIN_TERMS)
  }

  /** Whether most of it is quoted or pasted, so that it is not the speaker's own word. */
  get isQuoting(): boolean {
    if (this.#isQuoting !== undefined) return this.#isQuoting
    const document = this.#stored()
    return (this.#isQuoting =
      document?.role === 'user'
        ? (document.traits & TextTrait.quoting) !== 0
        : isMostlyUnspoken(this.text.slice(0, MAX_EXAMINED)))
  }

  /** Whether it states something about the one who is spoken to. */
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
 * Analysed texts of one user, kept with what else is in memory of them.
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

  /** Bytes of memory taken, estimated. */
  get bytes(): number {
    return this.#texts.size * TEXT_BYTES
  }

  /** @param turn id of the turn that says it */
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
