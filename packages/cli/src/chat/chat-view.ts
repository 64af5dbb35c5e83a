import type { Recall, RecalledMemory } from 'keepsake'
import stringWidth from 'string-width'
import type { Learned } from './learned.ts'
import { shortId } from '../find-memory.ts'
import type { Io, Output } from '../io.ts'
import { aboutWhom, kindOf, wordsOf } from '../output/format-memory.ts'
import { formatDay } from '../output/format-quantity.ts'
import { formatConfidence } from '../output/format-recall.ts'
import { print, printJson, type Shown } from '../output/print.ts'
import { joinMarks, printable, shorten, styleFor, wrap, type Style } from '../output/style.ts'

export interface ChatView {
  /** Hides recalled and learned memories. */
  isQuiet: boolean
  note(text: string): void
  piece(text: string): void
  replied(said: string, reply: string, recall: Recall): void
  /** Shows what was recalled for a turn without a model. */
  recalled(said: string, recall: Recall): void
  /** The reply was cancelled, or broke off. */
  brokenOff(said: string, why: string): void
  learned(news: readonly Learned[]): void
  /** The result of a slash command. */
  shown(shown: Shown): void
  /** A request that failed. */
  refused(message: string): void
}

/** Writes a chat for programs: one JSON object a line, named by its first field, without notes. */
export function writeJson(io: Io): ChatView {
  return {
    isQuiet: false,
    note: () => undefined,
    piece: () => undefined,
    replied(said, reply, recall) {
      const { recalled, ...sure } = plainRecall(recall)
      printJson(io, { reply, said, ...sure, ...(this.isQuiet ? {} : { recalled }) })
    },
    // The recall is the only answer here, so quiet mode shows it too.
    recalled: (said, recall) => printJson(io, { reply: null, said, ...plainRecall(recall) }),
    brokenOff: (said, why) => printJson(io, { reply: null, said, error: why }),
    learned(news) {
      if (!this.isQuiet) for (const learned of news) printJson(io, { learned })
    },
    shown: ({ data }) => printJson(io, { shown: data }),
    refused: (message) => printJson(io, { refused: message }),
  }
}

function plainRecall({ answerable, known, confidence, memories }: Recall) {
  const recalled = memories.map(({ memory: { id, form, text }, score, pending }) => {
    return { id, form, text, score, pending }
  })
  return { answerable, known, confidence, recalled }
}

/** Recalled memories shown after a reply. */
const SHOWN = 5
/** Indentation of notes. */
const INDENT = '   '

/** Shows a chat on a terminal: replies on stdout, and everything else dimmed on stderr, so that a pipe gets the replies alone. */
export function showToPeople(io: Io, agent: string | undefined): ChatView {
  const style = styleFor({ ...io, stdout: io.stderr })
  const tell = (...lines: readonly string[]): void => print({ stdout: io.stderr }, ...lines)
  const warn = (text: string): void => tell(style.warn(wrap(text, style.width, INDENT)))
  const replies = styleFor(io)
  const writer = new ReplyWriter(io.stdout, replies)
  const name = agent === undefined || io.stdout.isTTY !== true ? '' : replies.bold(`${printable(agent)}: `)
  return {
    isQuiet: false,
    note: (text) => tell(style.dim(wrap(text, style.width, INDENT))),
    piece: (text) => writer.write(printable(text), name),
    replied(_said, _reply, recall) {
      writer.end()
      if (!this.isQuiet) tell(...formatRecalled(recall, style))
    },
    recalled(said, recall) {
      // What asks nothing needs no answer.
      if (recall.answerable === null || (!recall.known && !ASKS.test(said))) return
      print(io, formatConfidence(recall, replies))
      if (recall.answerable !== 'no') print(io, ...listRecalled(recall, replies))
      else if (!this.isQuiet) tell(...formatRecalled(recall, style))
    },
    brokenOff(_said, why) {
      writer.end()
      warn(why)
    },
    learned(news) {
      const shown = this.isQuiet ? news.filter(({ kind }) => kind === 'failed') : news
      if (shown.length > 0) tell(...shown.map((learned) => formatLearned(learned, style)))
    },
    shown: ({ words }) => print(io, words(replies)),
    refused: warn,
  }
}

/** Plain text, since colours would end the dimming of the line. */
const PLAIN: Pick<Style, 'dim'> = { dim: (text) => text }

/** Whether a text is a question, which not knowing can answer. */
const ASKS = /[?？]\s*$|[吗呢么]\s*$/u

function formatRecalled(recall: Recall, style: Style): string[] {
  const { answerable, confidence, memories } = recall
  const { dim } = style
  const sure = `(confidence ${confidence.toFixed(2)})`
  if (memories.length === 0) return [dim(`${INDENT}nothing recalled ${sure}`)]
  const head =
    answerable === 'yes'
      ? `recalled ${sure}`
      : answerable === null
        ? 'recalled'
        : `no confident match ${sure}; the closest memories:`
  return [INDENT + head, ...listRecalled(recall, style)].map(dim)
}

/** The user's turn of an exchange: one line has no room for both, and the question before it says less. */
function tellingWords({ memory, evidence }: RecalledMemory): string {
  const own = evidence.filter(({ role, text }) => role === 'user' && text !== null)
  const [best] = own.toSorted((a, b) => b.score - a.score)
  return memory.form !== 'utterance' || best === undefined
    ? wordsOf(memory, PLAIN)
    : printable(best.text ?? '')
}

/** Lists the best recalled memories, with the numbers that commands take. */
function listRecalled({ memories }: Recall, { width }: Style): string[] {
  const lines = memories.slice(0, SHOWN).map((recalled, index) => {
    const { memory, score, pending } = recalled
    const start = `${String(index + 1).padStart(INDENT.length + 2)}  ${score.toFixed(2)}  ${formatDay(memory.validFrom)}  `
    const mark = pending ? '(just said) ' : ''
    return start + shorten(mark + tellingWords(recalled), width - start.length)
  })
  const rest = memories.length - SHOWN
  return [...lines, ...(rest > 0 ? [`${INDENT}… and ${rest} more`] : [])]
}

const MARKS = {
  added: '+',
  changed: '~',
  ended: '~ no longer true:',
  deleted: '- deleted:',
  forgotten: '- forgotten:',
  restored: '+ restored:',
  'not-believed': '? quarantined:',
} as const

function formatLearned(news: Learned, { width, good, warn, dim }: Style): string {
  if ('reason' in news) {
    const [mark, paint] = news.kind === 'failed' ? ['!', warn] : ['·', dim]
    return paint(wrap(`${mark} ${printable(news.reason)}`, width, INDENT))
  }
  const { kind, memory, before } = news
  const nature = joinMarks([kindOf(memory), aboutWhom(memory), shortId(memory.id)], ', ')
  const was = before === null ? '' : ` (was: ${printable(before)})`
  const why = kind === 'not-believed' && memory.reason !== null ? ` (${printable(memory.reason)})` : ''
  const text = `${MARKS[kind]} ${wordsOf(memory, PLAIN)}${was}${why} [${nature}]`
  const paint = kind === 'added' || kind === 'restored' ? good : dim
  return paint(wrap(text, width, INDENT, `${INDENT}  `))
}

/** Writes a reply as it streams. Wraps whole words on a terminal; elsewhere the reply stays as it is, and ends with one line break. */
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

  /** @param before is written before the reply's first word. */
  write(text: string, before = ''): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      this.#output.write(before)
      this.#column = stringWidth(before)
    }
    // A word is complete once its end has come. Chinese needs no separator.
    for (const part of (this.#word + text).split(/(?<=[\s\p{sc=Han}，。！？、；：])/u)) {
      this.#word = ''
      if (/[\s\p{sc=Han}，。！？、；：]$/u.test(part)) this.#put(part)
      else this.#word = part
    }
  }

  /** Ends the reply's line, if one was begun. */
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
