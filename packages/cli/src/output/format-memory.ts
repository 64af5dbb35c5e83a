import type { EraseReceipt, Memory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import { formatCount, formatDay, formatSpan } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { joinMarks, printable, wrap, type Style } from './style.ts'

/** Names the kind of a memory: `fact`, `message`, `story 2`. */
export function kindOf(memory: Memory): string {
  switch (memory.form) {
    case 'utterance':
      return 'message'
    case 'fact':
      return memory.key ?? 'fact'
    case 'summary':
      return 'summary'
    case 'story':
      return `story ${memory.level}`
    case 'portrait':
      return 'portrait'
    case 'note':
      return 'note'
    case 'block':
      return `block ${memory.name ?? ''}`
  }
}

/** Returns the subject of a memory, or an empty string for the user. */
export const subjectOf = ({ subject }: Memory): string =>
  subject === 'user' ? '' : `about ${printable(subject)}`

/** Returns a memory's text, made safe to print, or a description of its evidence if it has no text. */
export function textOf(memory: Memory, style: Pick<Style, 'dim'>): string {
  const { text, status, evidence, session } = memory
  if (text !== '') return printable(text)
  if (status === 'erased') return style.dim('(erased)')
  if (evidence.length === 0) return style.dim('(no content to summarise)')
  return style.dim(`(${formatCount(evidence.length, 'turn')} of session ${printable(session)}, unchanged)`)
}

export function formatMemory(memory: Memory, style: Style): string {
  const { id, validFrom, validUntil, pinned, status, reason } = memory
  const isLive = status === 'live'
  const marks = [
    kindOf(memory),
    subjectOf(memory),
    formatSpan(validFrom, validUntil),
    pinned ? 'pinned' : '',
    isLive ? '' : status,
  ]
  return [
    `${style.accent(shortId(id))}  ${style.dim(joinMarks(marks))}`,
    wrap(textOf(memory, style), style.width, '  '),
    ...(isLive || reason === null ? [] : [wrap(style.dim(reason), style.width, '  ')]),
  ].join('\n')
}

/** Shows memories: all of them as data, and the first `limit` as text, with a closing line about the number shown. */
export function showMemories(
  memories: readonly Memory[],
  limit: number,
  closingLine: (shownCount: number) => string,
): Shown {
  const shown = memories.slice(0, limit)
  return {
    data: memories,
    formatText: (style) =>
      [...shown.map((memory) => formatMemory(memory, style)), style.dim(closingLine(shown.length))].join(
        '\n',
      ),
  }
}

/** Quotes a text in the quotation marks of its script. */
export function quote(text: string): string {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? `「${text}」` : `“${text}”`
}

/** Describes the result of an erasure in a sentence. */
export function formatReceipt({ turns, memories, purgedAt }: EraseReceipt): string {
  const spaceNote =
    purgedAt === null
      ? 'it can no longer be read, and its space is overwritten when the file is next opened'
      : 'the space was overwritten'
  return `Erased ${formatCount(turns, 'turn')} and ${formatCount(memories, 'memory', 'memories')} and every trace of them; ${spaceNote}.`
}

/** Indentation of a fact's text under its day. */
const TEXT_INDENT = ' '.repeat(14)

export function factsWithoutKey(facts: readonly Memory[]): Memory[] {
  return facts.filter((fact) => fact.form === 'fact' && fact.key === null)
}

/** Formats facts, newest first, one per line under a title. Returns an empty string for no facts. */
export function formatFacts(title: string, facts: readonly Memory[], limit: number, style: Style): string {
  if (facts.length === 0) return ''
  const shown = facts.toSorted((a, b) => b.validFrom - a.validFrom).slice(0, limit)
  const lines = shown.map(({ id, text, validFrom, validUntil }) => {
    const shownText = validUntil === null ? printable(text) : style.dim(printable(text))
    return wrap(
      `${shownText} ${style.dim(shortId(id))}`,
      style.width,
      `  ${style.dim(formatDay(validFrom))}  `,
      TEXT_INDENT,
    )
  })
  const rest = facts.length - shown.length
  const more =
    rest > 0 ? [style.dim(`  … and ${rest.toLocaleString('en')} more: keepsake list --forms fact`)] : []
  return [style.bold(title), ...lines, ...more].join('\n')
}
