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
const RESPONSE = /Here(?: is|['’]s) my response:/
/** Words before a thought that count only at the beginning of an answer which also has their end: Granite's sentences, a tag. */
const FIRST_WORDS: readonly (readonly [begins: string, ends: RegExp])[] = [
  ...[' is', "'s", '’s'].map((verb) => [`Here${verb} my thought process:`, RESPONSE] as const),
  ['<analysis>', /<\/analysis>/],
]
const escaped = (mark: string): string => mark.replaceAll(/[|[\]]/g, String.raw`\$&`)
const CLOSING_MARKS = MARKS.map(([, close]) => close)
/** Characters that tags and marks begin with. */
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
const LONGEST_CLOSING = Math.max(...[...NAMES, ...CLOSING_MARKS].map(({ length }) => length + 9))
const DETAILS_END = new RegExp(String.raw`${CLOSES}details\s{0,2}>`, 'i')
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
 * Removes a model's thoughts (`<think>…</think>`) from an answer that arrives in pieces. A tag in quotation marks or code
 * belongs to the speech.
 *
 * @example
 * const spoken = new SpokenText()
 * spoken.push('<think>They ask for') + spoken.push(' tea.</think>Tea?') + spoken.end() // 'Tea?'
 */
export class SpokenText {
  /** Whether a thought was found. */
  hasThought = false
  #rest = ''
  /** The pattern that ends the current thought, or `null` within speech. */
  #closing: RegExp | null = null
  /** Speech that is not returned yet, because it may be a thought without an opening tag. */
  #held = ''
  #isHeld: boolean
  #ticks = 0
  #hasFence = false
  /** Number of backticks that opened code in the line, or 0 outside code. */
  #codeTicks = 0
  /** The mark that closes the open quotation in the line. */
  #quotation: string | null = null
  #before = ''
  #isAtBeginning = true
  #isLineBlank = true
  #trims = false

  /** @param options.mayBeginThinking holds the text back until a closing tag, or the end, shows what it was */
  constructor({ mayBeginThinking = false } = {}) {
    this.#isHeld = mayBeginThinking
  }

  /** Returns the words that are certain to be speech. */
  push(piece: string): string {
    this.#rest += piece
    return this.#release(this.#take(Math.max(0, this.#rest.length - piece.length - LONGEST_CLOSING), false))
  }

  /** Returns the remaining words. */
  end(): string {
    const said = this.#take(0, true)
    this.#isHeld = false
    return this.#release(said)
  }

  #release(said: string): string {
    this.#held += said
    if (this.#isHeld) return ''
    const released = this.#held
    this.#held = ''
    return released
  }

  #take(searched: number, isEnd: boolean): string {
    let said = ''
    let from = searched
    for (;;) {
      if (this.#closing !== null) {
        const found = this.#closing.exec(this.#rest.slice(from))
        if (found !== null) this.#skip(from + found.index + found[0].length)
        // Nothing closes the tag: in the middle of a line it is a word.
        else {
          const isFirst = FIRST_WORDS.some(([, ends]) => ends === this.#closing)
          const isWord = isEnd && (!this.#isLineBlank || isFirst)
          return isWord ? said + this.#speak(this.#rest.length) : said
        }
      }
      from = 0
      if (this.#isAtBeginning) {
        const begun = this.#rest.trimStart()
        if (!isEnd && FIRST_WORDS.some(([begins]) => begins.startsWith(begun))) return said
        this.#isAtBeginning = false
        this.#closing = firstClosingOf(begun)
        if (this.#closing !== null) continue
      }
      const index = this.#rest.search(BEGINNING)
      said += this.#speak(index === -1 ? this.#rest.length : index)
      if (index === -1) return said
      const tag = this.#isQuoted() ? undefined : tagAt(this.#rest)
      if (tag === undefined) {
        if (!isEnd && mayBecomeTag(this.#rest)) return said
        said += this.#speak(1)
      } else if (IS_CLOSING.test(tag) || CLOSING_MARKS.includes(tag)) {
        said = ''
        this.#held = ''
        this.#isLineBlank = true
        this.#skip(tag.length)
      } else this.#closing = closingOf(tag)
    }
  }

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
    else if (this.#ticks > 0 && !this.#hasFence)
      this.#codeTicks =
        this.#codeTicks === 0 ? this.#ticks : this.#codeTicks === this.#ticks ? 0 : this.#codeTicks
    this.#ticks = 0
  }

  #speak(length: number): string {
    const words = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    // The blank lines after a thought belong to it.
    const said = this.#trims ? words.trimStart() : words
    this.#trims &&= said === ''
    for (const letter of said) this.#follow(letter)
    return said
  }

  /** Follows lines, code and quotations, which end with their line. */
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

/** Returns the end of the thought that an answer begins with. */
const firstClosingOf = (text: string): RegExp | null =>
  FIRST_WORDS.find(([begins]) => text.startsWith(begins))?.[1] ?? null

function mayBecomeTag(text: string): boolean {
  if (text.length > LONGEST_TAG) return false
  if (MARKS.flat().some((mark) => mark.startsWith(text))) return true
  const [, name = '', more = ''] = /^<\s{0,2}(?:\/\s{0,2})?([a-z:]*)(\s[^<>]*)?$/i.exec(text) ?? ['', '-']
  const known = [...NAMES, 'details'].map((name) => name.toLowerCase())
  return more === ''
    ? known.some((element) => element.startsWith(name.toLowerCase()))
    : known.includes(name.toLowerCase())
}

/** Removes what a model thinks aloud from its answer, also where the opening or the closing tag is missing. */
export function withoutThinking(text: string): string {
  if (!BEGINNING.test(text) && firstClosingOf(text.trimStart()) === null) return text
  const spoken = new SpokenText()
  return spoken.push(text) + spoken.end()
}
