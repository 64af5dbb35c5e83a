import { findTerms, isMostlyUnspoken, onOneLine, splitSentences } from '@keepsake/text'

/** A turn with fewer distinct terms needs what it answers: “Yes, twice!”, “4:26, I did it”. */
const MIN_TERMS = 5
/** A turn of this many characters is understood by itself, whatever its words. */
const MIN_CHARACTERS = 80
/** Characters of a turn that are examined for quotations. */
const MAX_EXAMINED = 20_000
/** Characters of the beginning that a shortened text keeps. */
const BEGINNING = 64
/** Texts of one user that stay analysed. */
const MAX_TEXTS = 1_024
/** Bytes that an analysed text takes on the heap, measured roughly. */
const TEXT_BYTES = 1_500

const HAN = /\p{Script=Han}/u
/** “You are …”, “your sister …”: an agent's statement about the user, not a question to them. */
const ABOUT_USER = /\b(?:you|your|you['’](?:re|ve|d|ll))\b|[你您]/i
const IS_QUESTION = /[?？]\s*["'”’)）]*$/

/** A part of a text that may be kept when the text is shortened. */
export interface ClipPart {
  readonly text: string
  /** Where it begins on the text's one line. */
  readonly start: number
  readonly terms: ReadonlySet<string>
  /** Terms with repeats. */
  readonly length: number
}

/** A text and what is computed of it once, when first needed: the same whatever question it answers. */
export class AnalysedText {
  readonly text: string
  #line: string | undefined
  #quoted: string | undefined
  #terms: ReadonlySet<string> | undefined
  #beginning: string | undefined
  #parts: readonly ClipPart[] | undefined
  #prompt: AnalysedText | undefined
  #isElliptic: boolean | undefined
  #isQuoting: boolean | undefined
  #isAboutUser: boolean | undefined

  /** @param terms those stored with the text, as from `findTerms` */
  constructor(text: string, terms?: readonly string[]) {
    this.text = text
    this.#terms = terms && new Set(terms)
  }

  /** The text on one line. */
  get line(): string {
    return (this.#line ??= onOneLine(this.text))
  }

  /** The text on one line in quotation marks, so that nothing in it reads as structure or instruction. */
  get quoted(): string {
    return (this.#quoted ??= JSON.stringify(this.line))
  }

  get terms(): ReadonlySet<string> {
    return (this.#terms ??= new Set(findTerms(this.text)))
  }

  /** The first words of the line, cut between words. */
  get beginning(): string {
    return (this.#beginning ??= beginningOf(this.line))
  }

  /** The sentences of the line after its beginning. */
  get parts(): readonly ClipPart[] {
    return (this.#parts ??= partsAfter(this.line, this.beginning.length))
  }

  /** The question with which it ends, or its last sentence: what a reply to it answers. */
  get prompt(): AnalysedText {
    return (this.#prompt ??= promptOf(this))
  }

  /** Whether it needs the turn before it to be understood. */
  get isElliptic(): boolean {
    return (this.#isElliptic ??= this.text.length < MIN_CHARACTERS && this.terms.size < MIN_TERMS)
  }

  /** Whether most of it is quoted or pasted, so that it is not the speaker's own word. */
  get isQuoting(): boolean {
    return (this.#isQuoting ??= isMostlyUnspoken(this.text.slice(0, MAX_EXAMINED)))
  }

  /** Whether it states something about the one who is spoken to. */
  get isAboutUser(): boolean {
    return (this.#isAboutUser ??= splitSentences(this.text).some(
      ({ text }) => ABOUT_USER.test(text) && !IS_QUESTION.test(text),
    ))
  }
}

function beginningOf(line: string): string {
  if (line.length <= BEGINNING * 1.25) return line
  if (HAN.test(line.slice(0, BEGINNING))) return line.slice(0, BEGINNING).toWellFormed()
  const space = line.indexOf(' ', BEGINNING)
  return space < 0 || space > BEGINNING * 1.5 ? line.slice(0, BEGINNING).toWellFormed() : line.slice(0, space)
}

/** Sentences after a place, with the rest of one that was cut there. */
function partsAfter(line: string, from: number): ClipPart[] {
  return splitSentences(line).flatMap(({ text, start }): ClipPart[] => {
    const rest = text.slice(Math.max(0, from - start))
    const kept = rest.trim()
    if (kept === '') return []
    const terms = findTerms(kept)
    const at = Math.max(start, from) + rest.indexOf(kept)
    return [{ text: kept, start: at, terms: new Set(terms), length: terms.length }]
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
  readonly #storedTerms: (turn: string, text: string) => readonly string[] | undefined

  /** @param storedTerms the terms that the index holds of a turn, if this is its whole text */
  constructor(storedTerms: (turn: string, text: string) => readonly string[] | undefined = () => undefined) {
    this.#storedTerms = storedTerms
  }

  /** Bytes of memory taken, estimated. */
  get bytes(): number {
    return this.#texts.size * TEXT_BYTES
  }

  /** @param turn id of the turn that says it */
  of(text: string, turn?: string): AnalysedText {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const analysed = new AnalysedText(text, turn === undefined ? undefined : this.#storedTerms(turn, text))
    this.#texts.set(text, analysed)
    const [oldest] = this.#texts.size > MAX_TEXTS ? this.#texts.keys() : []
    if (oldest !== undefined) this.#texts.delete(oldest)
    return analysed
  }

  /** Counts the distinct terms of a turn. One that is not analysed yet stays so. */
  countTerms(text: string, turn: string): number {
    const known = this.#texts.get(text)
    return known?.terms.size ?? new Set(this.#storedTerms(turn, text) ?? findTerms(text)).size
  }
}
