// Removes a model's thoughts from its answer: reasoning that the model writes before the words to the user.

/** Names of the tags around a model's thoughts. */
const NAMES = 'think thinking thought thoughts reasoning seed:think antthinking reflection scratchpad'.split(
  ' ',
)
/** Marks around thoughts of models that write no tags: Kimi, Magistral, Command A, gpt-oss, Gemma. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['◁think▷', '◁/think▷'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
]
/** Matches the words after which Granite's answer begins. */
const RESPONSE = /Here(?: is|['’]s) my response:/
/**
 * Words that begin a thought if they begin the answer and their end follows: Granite's sentences, and a tag that other texts use too.
 */
const FIRST_WORDS: readonly (readonly [begins: string, ends: RegExp])[] = [
  ...[' is', "'s", '’s'].map((verb) => [`Here${verb} my thought process:`, RESPONSE] as const),
  ['<analysis>', /<\/analysis>/],
]
const escaped = (mark: string): string => mark.replaceAll(/[|[\]]/g, String.raw`\$&`)
const CLOSING_MARKS = MARKS.map(([, close]) => close)
/** Matches the characters with which tags and marks begin. */
const BEGINNING = /[<[◁]/
/** Matches the beginning of a closing tag. Some models write blanks within their tags: `</think >`. */
const CLOSES = String.raw`<\s{0,2}/\s{0,2}`
const CLOSING_TAG = String.raw`${CLOSES}(?:${NAMES.join('|')})\s{0,2}>`
const IS_CLOSING = new RegExp(`^${CLOSES}`)
const CLOSING = new RegExp([CLOSING_TAG, ...CLOSING_MARKS.map(escaped)].join('|'), 'i')
/** Matches an opening or closing tag. `<details type="reasoning">` is the form in which Open WebUI stores a thought. */
const TAG = new RegExp(
  String.raw`^(?:${CLOSING_TAG}|<\s{0,2}(?:(?:${NAMES.join('|')})(?:\s[^<>]{0,200})?|details\s[^<>]{0,100}type="reasoning"[^<>]{0,200})>)`,
  'i',
)
/** Maximum characters of a closing tag or mark: a name, and up to nine of brackets and blanks. */
const LONGEST_CLOSING = Math.max(...[...NAMES, ...CLOSING_MARKS].map(({ length }) => length + 9))
const DETAILS_END = new RegExp(String.raw`${CLOSES}details\s{0,2}>`, 'i')
/** Maximum characters of an opening tag with its attributes. */
const LONGEST_TAG = 320
const QUOTATIONS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
])

/** Returns the tag or mark at the beginning of a text. */
function tagAt(text: string): string | undefined {
  return MARKS.flat().find((mark) => text.startsWith(mark)) ?? TAG.exec(text)?.[0]
}

/** Returns the pattern that ends the thought after an opening tag or mark. */
function closingOf(tag: string): RegExp {
  const mark = MARKS.find(([open]) => open === tag)
  if (mark !== undefined) return new RegExp(escaped(mark[1]))
  return /^<details/i.test(tag) ? DETAILS_END : CLOSING
}

/**
 * Removes a model's thoughts (`<think>…</think>`) from an answer that arrives in pieces. The rest is its speech. A tag in quotation marks
 * or code is part of the speech.
 *
 * @example
 * const spoken = new SpokenText()
 * spoken.push('<think>They ask for') + spoken.push(' tea.</think>Tea?') + spoken.end() // 'Tea?'
 */
export class SpokenText {
  /** Whether a thought was found. */
  hasThought = false
  /** The text that is not read yet. */
  #rest = ''
  /** The pattern that ends the current thought, or `null` within speech. */
  #closing: RegExp | null = null
  /** Speech that is not returned yet, because it may be a thought without an opening tag. */
  #held = ''
  #isHeld: boolean
  /** Number of backticks in a row so far. */
  #ticks = 0
  /** Whether the text is within a fenced block of code. */
  #hasFence = false
  /** Number of backticks that opened code in the line, or 0 outside code. */
  #codeTicks = 0
  /** The mark that closes the open quotation in the line. */
  #quotation: string | null = null
  /** The last character of the speech. */
  #before = ''
  #isAtBeginning = true
  #isLineBlank = true
  /** Whether white space that follows is removed, since it belongs to the thought before it. */
  #trims = false

  /** @param options.mayBeginThinking holds the text back until a closing tag, or the end, shows whether it is a thought */
  constructor({ mayBeginThinking = false } = {}) {
    this.#isHeld = mayBeginThinking
  }

  /** Returns the words that are certain to be speech. */
  push(piece: string): string {
    // A closing tag may have begun in the text before.
    const searchFrom = Math.max(0, this.#rest.length - LONGEST_CLOSING)
    this.#rest += piece
    return this.#release(this.#readSpeech(searchFrom, false))
  }

  /** Returns the remaining words. */
  end(): string {
    const speech = this.#readSpeech(0, true)
    this.#isHeld = false
    return this.#release(speech)
  }

  /** Returns speech with what was held before, or holds it too. */
  #release(speech: string): string {
    this.#held += speech
    if (this.#isHeld) return ''
    const released = this.#held
    this.#held = ''
    return released
  }

  /**
   * Reads the rest as far as its meaning is certain, and returns its speech.
   *
   * @param searchFrom where the search for the end of the current thought begins
   * @param isEnd whether no text follows
   */
  #readSpeech(searchFrom: number, isEnd: boolean): string {
    let speech = ''
    let from = searchFrom
    for (;;) {
      if (this.#closing !== null) {
        const found = this.#closing.exec(this.#rest.slice(from))
        if (found === null) {
          // If nothing closes a tag in the middle of a line, the tag was a word.
          const isFirst = FIRST_WORDS.some(([, ends]) => ends === this.#closing)
          const isWord = isEnd && (!this.#isLineBlank || isFirst)
          return isWord ? speech + this.#speak(this.#rest.length) : speech
        }
        this.#skip(from + found.index + found[0].length)
      }
      from = 0
      if (this.#isAtBeginning) {
        const beginning = this.#rest.trimStart()
        if (!isEnd && FIRST_WORDS.some(([begins]) => begins.startsWith(beginning))) return speech
        this.#isAtBeginning = false
        this.#closing = firstClosingOf(beginning)
        if (this.#closing !== null) continue
      }
      const index = this.#rest.search(BEGINNING)
      speech += this.#speak(index === -1 ? this.#rest.length : index)
      if (index === -1) return speech
      const tag = this.#isQuoted() ? undefined : tagAt(this.#rest)
      if (tag === undefined) {
        if (!isEnd && mayBecomeTag(this.#rest)) return speech
        speech += this.#speak(1)
      } else if (IS_CLOSING.test(tag) || CLOSING_MARKS.includes(tag)) {
        // The opening tag is missing, so all text before was a thought.
        speech = ''
        this.#held = ''
        this.#isLineBlank = true
        this.#skip(tag.length)
      } else this.#closing = closingOf(tag)
    }
  }

  /** Skips the end of a thought. */
  #skip(length: number): void {
    this.#rest = this.#rest.slice(length)
    this.#closing = null
    this.hasThought = true
    this.#isHeld = false
    this.#trims = this.#isLineBlank
  }

  #isQuoted(): boolean {
    this.#endTicks()
    return this.#hasFence || this.#codeTicks > 0 || this.#quotation !== null || this.#before === "'"
  }

  /** Opens or closes code, once a run of backticks has ended. */
  #endTicks(): void {
    if (this.#ticks >= 3 && this.#codeTicks === 0) this.#hasFence = !this.#hasFence
    else if (this.#ticks > 0 && !this.#hasFence) {
      if (this.#codeTicks === 0) this.#codeTicks = this.#ticks
      else if (this.#codeTicks === this.#ticks) this.#codeTicks = 0
    }
    this.#ticks = 0
  }

  /** Takes a number of characters of the rest as speech. */
  #speak(length: number): string {
    const words = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    // The blank lines after a thought belong to it.
    const speech = this.#trims ? words.trimStart() : words
    this.#trims &&= speech === ''
    for (const letter of speech) this.#follow(letter)
    return speech
  }

  /** Keeps track of lines, and of code and quotations, which end with their line. */
  #follow(letter: string): void {
    if (letter === '`') this.#ticks += 1
    else this.#endTicks()
    if (letter === '\n') [this.#codeTicks, this.#quotation, this.#isLineBlank] = [0, null, true]
    else if (letter === this.#quotation) this.#quotation = null
    else if (this.#codeTicks === 0) this.#quotation ??= QUOTATIONS.get(letter) ?? null
    this.#isLineBlank &&= letter.trim() === ''
    this.#before = letter
  }
}

/** Returns the pattern that ends the thought with which an answer begins, or `null` if it begins with speech. */
const firstClosingOf = (text: string): RegExp | null =>
  FIRST_WORDS.find(([begins]) => text.startsWith(begins))?.[1] ?? null

/** Reports whether a text is the beginning of a tag or mark. */
function mayBecomeTag(text: string): boolean {
  if (text.length > LONGEST_TAG) return false
  if (MARKS.flat().some((mark) => mark.startsWith(text))) return true
  const [, name = '', more = ''] = /^<\s{0,2}(?:\/\s{0,2})?([a-z:]*)(\s[^<>]*)?$/i.exec(text) ?? ['', '-']
  const known = [...NAMES, 'details'].map((name) => name.toLowerCase())
  return more === ''
    ? known.some((element) => element.startsWith(name.toLowerCase()))
    : known.includes(name.toLowerCase())
}

/** Removes a model's thoughts from a whole answer, also if the opening or the closing tag is missing. */
export function withoutThinking(text: string): string {
  if (!BEGINNING.test(text) && firstClosingOf(text.trimStart()) === null) return text
  const spoken = new SpokenText()
  return spoken.push(text) + spoken.end()
}
