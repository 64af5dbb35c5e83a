import type { Recall, RecalledMemory } from 'keepsake'
import type { LearnedItem } from './learned.ts'
import { shortId } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { subjectOf, kindOf, textOf } from '../output/format-memory.ts'
import { formatDay } from '../output/format-quantity.ts'
import { formatConfidence } from '../output/format-recall.ts'
import { print, printJson, type Shown } from '../output/print.ts'
import { joinMarks, printable, shorten, styleFor, wrap, type Style } from '../output/style.ts'

/** Shows a chat, to people or programs. `message` is the text of the user's turn. */
export interface ChatView {
  note(text: string): void
  addPiece(text: string): void
  endReply(message: string, reply: string, recall: Recall): void
  /** Shows the memories recalled for a turn, for chats without a model. */
  showRecall(message: string, recall: Recall): void
  failReply(message: string, why: string): void
  learned(news: readonly LearnedItem[]): void
  showResult(shown: Shown): void
  /** Shows why a request failed. */
  showError(message: string): void
}

/** Writes a chat for programs: one JSON object per line, whose first field names its kind. Omits notes. */
export function writeJson(io: Io): ChatView {
  return {
    note: () => undefined,
    addPiece: () => undefined,
    endReply: (message, reply, recall) => printJson(io, { reply, said: message, ...plainRecall(recall) }),
    showRecall: (message, recall) => printJson(io, { reply: null, said: message, ...plainRecall(recall) }),
    failReply: (message, why) => printJson(io, { reply: null, said: message, error: why }),
    learned(news) {
      for (const learned of news) printJson(io, { learned })
    },
    showResult: ({ data }) => printJson(io, { shown: data }),
    showError: (message) => printJson(io, { refused: message }),
  }
}

function plainRecall({ answerable, known, confidence, memories }: Recall) {
  const recalled = memories.map(({ memory: { id, form, text }, score, pending }) => {
    return { id, form, text, score, pending }
  })
  return { answerable, known, confidence, recalled }
}

/** Recalled memories shown after a reply. */
const MAX_SHOWN = 5
const INDENT = '   '

/** Shows a chat on a terminal: replies on stdout, and everything else dimmed on stderr, so that a pipe receives only the replies. */
export function showToPeople(io: Io, agent: string | undefined): ChatView {
  const style = styleFor({ ...io, stdout: io.stderr })
  const printNote = (...lines: readonly string[]): void => print({ stdout: io.stderr }, ...lines)
  const warn = (text: string): void => printNote(style.warn(wrap(text, style.width, INDENT)))
  const replies = styleFor(io)
  let written = ''
  const endLine = (): void => {
    if (written !== '' && !written.endsWith('\n')) io.stdout.write('\n')
    written = ''
  }
  const name = agent === undefined || io.stdout.isTTY !== true ? '' : replies.bold(`${printable(agent)}: `)
  return {
    note: (text) => printNote(style.dim(wrap(text, style.width, INDENT))),
    addPiece(text) {
      const piece = (written === '' ? name : '') + printable(text)
      io.stdout.write(piece)
      written += piece
    },
    endReply(_said, _reply, recall) {
      endLine()
      printNote(...formatRecalled(recall, style))
    },
    showRecall(message, recall) {
      // A statement needs no answer.
      if (recall.answerable === null || (!recall.known && !QUESTION_END.test(message))) return
      print(io, formatConfidence(recall, replies))
      if (recall.answerable !== 'no') print(io, ...listRecalled(recall, replies))
      else printNote(...formatRecalled(recall, style))
    },
    failReply(_said, why) {
      endLine()
      warn(why)
    },
    learned(news) {
      if (news.length > 0) printNote(...news.map((item) => formatLearned(item, style)))
    },
    showResult: ({ formatText }) => print(io, formatText(replies)),
    showError: warn,
  }
}

/** A style without colours, which would end the dimming of the line. */
const WITHOUT_COLOURS: Pick<Style, 'dim'> = { dim: (text) => text }

/** Matches the end of a question. Only questions get “I do not know”. */
const QUESTION_END = /[?？]\s*$|[吗呢么]\s*$/u

function formatRecalled(recall: Recall, style: Style): string[] {
  const { answerable, confidence, memories } = recall
  const { dim } = style
  const confidenceNote = `(confidence ${confidence.toFixed(2)})`
  if (memories.length === 0) return [dim(`${INDENT}nothing recalled ${confidenceNote}`)]
  const notConfident = `no confident match ${confidenceNote}; the closest memories:`
  const answerHead = answerable === 'yes' ? `recalled ${confidenceNote}` : notConfident
  const head = answerable === null ? 'recalled' : answerHead
  return [INDENT + head, ...listRecalled(recall, style)].map(dim)
}

/** Returns a memory's text for one line. For an exchange this is the user's turn with the highest score. */
function lineText({ memory, evidence }: RecalledMemory): string {
  const userTurns = evidence.filter(({ role, text }) => role === 'user' && text !== null)
  const [best] = userTurns.toSorted((a, b) => b.score - a.score)
  return memory.form !== 'utterance' || best === undefined
    ? textOf(memory, WITHOUT_COLOURS)
    : printable(best.text ?? '')
}

/** Lists the best recalled memories, with the numbers that commands take. */
function listRecalled({ memories }: Recall, { width }: Style): string[] {
  const lines = memories.slice(0, MAX_SHOWN).map((recalled, index) => {
    const { memory, score, pending } = recalled
    const start = `${String(index + 1).padStart(INDENT.length + 2)}  ${score.toFixed(2)}  ${formatDay(memory.validFrom)}  `
    const mark = pending ? '(just said) ' : ''
    return start + shorten(mark + lineText(recalled), width - start.length)
  })
  const rest = memories.length - MAX_SHOWN
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

function formatLearned(news: LearnedItem, { width, good, warn, dim }: Style): string {
  if ('reason' in news) {
    return warn(wrap(`${news.kind === 'failed' ? '!' : '?'} ${printable(news.reason)}`, width, INDENT))
  }
  const { kind, memory, before } = news
  const description = joinMarks([kindOf(memory), subjectOf(memory), shortId(memory.id)], ', ')
  const earlierText = before === null ? '' : ` (was: ${printable(before)})`
  const why = kind === 'not-believed' && memory.reason !== null ? ` (${printable(memory.reason)})` : ''
  const text = `${MARKS[kind]} ${textOf(memory, WITHOUT_COLOURS)}${earlierText}${why} [${description}]`
  const colour = kind === 'added' || kind === 'restored' ? good : dim
  return colour(wrap(text, width, INDENT, `${INDENT}  `))
}
