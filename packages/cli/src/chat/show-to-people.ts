import type { Recall } from 'keepsake'
import { shortId } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { kindOf, wordsOf } from '../output/format-memory.ts'
import { formatDay } from '../output/format-quantity.ts'
import { printable, shorten, styleFor, wrap, type Style } from '../output/style.ts'
import type { ChatView } from './chat-view.ts'
import type { Learned } from './learned.ts'
import { ReplyWriter } from './reply-writer.ts'

/** Recalled memories shown after a reply. */
const SHOWN = 5
/** Before the words of a note. */
const INDENT = '   '

/**
 * Shows a talk to a person: replies on stdout, everything about them on stderr, dimmed, so that a pipe gets the
 * replies alone.
 */
export function showToPeople(io: Io, agent: string | null): ChatView {
  const style = styleFor({ ...io, stdout: io.stderr })
  const tell = (...lines: readonly string[]): void => void io.stderr.write(`${lines.join('\n')}\n`)
  const dimmed = (text: string): string => style.dim(wrap(text, style.width, INDENT))
  const writer = new ReplyWriter(io.stdout, styleFor(io))
  const name = agent === null || io.stdout.isTTY !== true ? '' : `${printable(agent)}: `
  return {
    isQuiet: false,
    note: (text) => tell(dimmed(text)),
    piece(text) {
      writer.write(printable(text), name === '' ? '' : style.bold(name))
    },
    replied({ recall }) {
      writer.end()
      if (!this.isQuiet) tell(...formatRecalled(recall, style))
    },
    brokenOff(_said, why) {
      writer.end()
      tell(style.warn(wrap(why, style.width, INDENT)))
    },
    learned(news) {
      const told = this.isQuiet ? news.filter(({ kind }) => kind === 'failed') : news
      if (told.length > 0) tell(...told.map((one) => formatLearned(one, style)))
    },
    shown: ({ words }) => void io.stdout.write(`${words}\n`),
    refused: (message) => tell(style.warn(wrap(message, style.width, INDENT))),
  }
}

function formatRecalled({ known, confidence, memories }: Recall, style: Style): string[] {
  const sure = `(confidence ${confidence.toFixed(2)})`
  if (memories.length === 0) return [style.dim(`${INDENT}nothing recalled ${sure}`)]
  const head = known ? `recalled ${sure}` : `known: no ${sure}; what comes closest:`
  const lines = memories.slice(0, SHOWN).map(({ memory, score, pending }, index) => {
    const start = `${String(index + 1).padStart(INDENT.length + 2)}  ${score.toFixed(2)}  ${formatDay(memory.validFrom)}  `
    const mark = pending ? '(just said) ' : ''
    return style.dim(start + shorten(mark + wordsOf(memory, PLAIN), style.width - start.length))
  })
  const rest = memories.length - SHOWN
  return [style.dim(INDENT + head), ...lines, ...(rest > 0 ? [style.dim(`${INDENT}… and ${rest} more`)] : [])]
}

/** Colours of its own would end the dimming of the line. */
const plain = (text: string): string => text
const PLAIN: Style = { width: 80, bold: plain, dim: plain, good: plain, warn: plain, accent: plain }

const MARKS = {
  added: '+',
  changed: '~',
  ended: '~ no longer:',
  deleted: '- dropped:',
  forgotten: '- let go:',
  restored: '+ back:',
  'not-believed': '? not believed:',
} as const

function formatLearned(news: Learned, style: Style): string {
  if ('reason' in news)
    return news.kind === 'failed'
      ? style.warn(wrap(`! ${printable(news.reason)}`, style.width, INDENT))
      : style.dim(wrap(`· ${printable(news.reason)}`, style.width, INDENT))
  const { kind, memory, before } = news
  const marks = [kindOf(memory), memory.subject === 'user' ? '' : `about ${printable(memory.subject)}`]
  const nature = marks.filter((mark) => mark !== '').join(', ')
  const was = before === null ? '' : ` (was: ${printable(before)})`
  const why = kind === 'not-believed' && memory.reason !== null ? ` (${printable(memory.reason)})` : ''
  const text = `${MARKS[kind]} ${wordsOf(memory, PLAIN)}${was}${why} [${nature}, ${shortId(memory.id)}]`
  const paint = kind === 'added' || kind === 'restored' ? style.good : style.dim
  return paint(wrap(text, style.width, INDENT, `${INDENT}  `))
}
