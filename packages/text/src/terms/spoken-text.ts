/** Names of the tags around what a model thinks. */
const NAMES = 'think thinking thought thoughts reasoning seed:think antthinking reflection scratchpad'.split(
  ' ',
)
/** Marks of models that write no tags: Kimi, Magistral, Command A, gpt-oss. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['◁think▷', '◁/think▷'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
]
const escaped = (mark: string): string => mark.replaceAll(/[|[\]]/g, String.raw`\$&`)
const CLOSING_MARKS = MARKS.map(([, close]) => close)
/** Characters that tags and marks begin with. */
const BEGINNING = /[<[◁]/
const CLOSING = new RegExp(`</(?:${NAMES.join('|')})>|${CLOSING_MARKS.map(escaped).join('|')}`, 'i')
/** Opening and closing tags; the last is how Open WebUI stores a thought. */
const TAG = new RegExp(
  `^<(?:/(?:${NAMES.join('|')})|(?:${NAMES.join('|')})(?:\\s[^<>]{0,200})?|details\\s[^<>]{0,100}type="reasoning"[^<>]{0,200})>`,
  'i',
)
const LONGEST_CLOSING = Math.max(...[...NAMES, ...CLOSING_MARKS].map(({ length }) => length + 3))
const LONGEST_TAG = 320
const QUOTE = /["'“‘「『]$/

/** The tag or mark at the beginning of a text. */
function tagAt(text: string): string | undefined {
  return MARKS.flat().find((mark) => text.startsWith(mark)) ?? TAG.exec(text)?.[0]
}

/** What ends the thought that a tag or mark begins. */
function closingOf(tag: string): RegExp {
  const mark = MARKS.find(([open]) => open === tag)
  if (mark !== undefined) return new RegExp(escaped(mark[1]))
  return /^<details/i.test(tag) ? /<\/details>/i : CLOSING
}

/**
 * Separates what a model says from what it thinks (`<think>…</think>`) while the answer comes in pieces. A tag in
 * quotation marks or code is a word.
 *
 * @example
 * const spoken = new SpokenText()
 * spoken.push('<think>They ask for') + spoken.push(' tea.</think>Tea?') + spoken.end() // 'Tea?'
 */
export class SpokenText {
  /** Whether a thought had no opening tag: what came before its closing tag was no speech. */
  hasUnopened = false
  #rest = ''
  /** `unknown`: the answer may begin inside a thought without an opening tag. */
  #state: 'speech' | 'thought' | 'unknown'
  #closing = CLOSING
  #ticks = 0
  #isCode = false
  #line = ''
  #trims = false

  /** @param options.mayBeginThinking holds the text back until a closing tag, or the end, shows what it was */
  constructor({ mayBeginThinking = false } = {}) {
    this.#state = mayBeginThinking ? 'unknown' : 'speech'
  }

  /** Returns the words that are certain to be speech. */
  push(piece: string): string {
    this.#rest += piece
    return this.#take(Math.max(0, this.#rest.length - piece.length - LONGEST_CLOSING), false)
  }

  /** Returns the remaining words. */
  end(): string {
    return this.#take(0, true)
  }

  #take(searched: number, isEnd: boolean): string {
    let said = ''
    let from = searched
    for (;;) {
      if (this.#state !== 'speech') {
        const found = this.#closing.exec(this.#rest.slice(from))
        if (found === null) {
          if (!isEnd) return said
          if (this.#state === 'thought') return said + this.#release()
          // Nothing closed: it did not begin inside a thought.
          this.#state = 'speech'
        } else {
          this.hasUnopened ||= this.#state === 'unknown' && tagAt(this.#rest.trimStart()) === undefined
          this.#skip(from + found.index + found[0].length)
        }
      }
      from = 0
      const index = this.#rest.search(BEGINNING)
      said += this.#speak(index === -1 ? this.#rest.length : index)
      if (index === -1) return said
      const tag = this.#isQuoted ? undefined : tagAt(this.#rest)
      if (tag === undefined) {
        if (!isEnd && mayBecomeTag(this.#rest)) return said
        said += this.#speak(1)
      } else if (tag.startsWith('</') || CLOSING_MARKS.includes(tag)) {
        this.hasUnopened = true
        said = ''
        this.#skip(tag.length)
      } else {
        this.#state = 'thought'
        this.#closing = closingOf(tag)
      }
    }
  }

  /** Returns the words after an opening tag that nothing closes: none, unless it stands in the middle of a line. */
  #release(): string {
    return this.#line.trim() === '' ? '' : this.#speak(this.#rest.length)
  }

  #skip(length: number): void {
    this.#rest = this.#rest.slice(length)
    this.#state = 'speech'
    this.#trims = this.#line.trim() === ''
  }

  get #isQuoted(): boolean {
    const isCode = this.#ticks >= 3 ? !this.#isCode : this.#isCode
    return isCode || this.#ticks > 0 || QUOTE.test(this.#line)
  }

  #speak(length: number): string {
    const words = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    // The blank lines after a thought belong to it.
    const said = this.#trims ? words.trimStart() : words
    this.#trims &&= said === ''
    for (const run of said.match(/`+|[^`]+/g) ?? []) {
      if (run.startsWith('`')) this.#ticks += run.length
      else {
        if (this.#ticks >= 3) this.#isCode = !this.#isCode
        this.#ticks = 0
      }
    }
    this.#line = `${this.#line}${said}`.slice(-LONGEST_TAG).split('\n').at(-1) ?? ''
    return said
  }
}

function mayBecomeTag(text: string): boolean {
  if (text.length > LONGEST_TAG) return false
  if (MARKS.flat().some((mark) => mark.startsWith(text))) return true
  const [, name = '', more = ''] = /^<\/?([a-z:]*)(\s[^<>]*)?$/i.exec(text) ?? ['', '-']
  const known = [...NAMES, 'details'].map((name) => name.toLowerCase())
  return more === ''
    ? known.some((element) => element.startsWith(name.toLowerCase()))
    : known.includes(name.toLowerCase())
}

/**
 * Removes what a model thinks aloud from its answer, also where the opening or the closing tag is missing.
 *
 * @example
 * withoutThinking('They greet me.</think>Hello!') // 'Hello!'
 */
export function withoutThinking(text: string): string {
  if (!BEGINNING.test(text)) return text
  const spoken = new SpokenText()
  return spoken.push(text) + spoken.end()
}
