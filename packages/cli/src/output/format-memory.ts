import type { Memory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import type { Shown } from './print.ts'
import { formatCount, formatSpan } from './format-quantity.ts'
import { joinMarks, printable, wrap, type Style } from './style.ts'

/** What a memory is, in a word or two: `fact`, `message`, `story 2`. */
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
  }
}

/** Whom a memory is about, where that is not the user. */
export const aboutWhom = ({ subject }: Memory): string =>
  subject === 'user' ? '' : `about ${printable(subject)}`

/** A memory's words, made safe to print; what it is made of where it has none of its own. */
export function wordsOf(memory: Memory, style: Pick<Style, 'dim'>): string {
  const { text, status, evidence, session } = memory
  if (text !== '') return printable(text)
  if (status === 'erased') return style.dim('(erased)')
  if (evidence.length === 0) return style.dim('(no content to summarise)')
  return style.dim(`(${formatCount(evidence.length, 'turn')} of session ${printable(session)}, unchanged)`)
}

/** A memory over a few lines: its id and nature, then its words. */
export function formatMemory(memory: Memory, style: Style): string {
  const { id, validFrom, validUntil, pinned, status, reason } = memory
  const isLive = status === 'live'
  const marks = [
    kindOf(memory),
    aboutWhom(memory),
    formatSpan(validFrom, validUntil),
    pinned ? 'pinned' : '',
    isLive ? '' : status,
  ]
  return [
    `${style.accent(shortId(id))}  ${style.dim(joinMarks(marks))}`,
    wrap(wordsOf(memory, style), style.width, '  '),
    ...(isLive || reason === null ? [] : [wrap(style.dim(reason), style.width, '  ')]),
  ].join('\n')
}

/** Memories as `--json` has them, and for people the first `limit` under each other, then a line made of how many are shown. */
export function showMemories(
  memories: readonly Memory[],
  limit: number,
  end: (shown: number) => string,
): Shown {
  const shown = memories.slice(0, limit)
  return {
    data: memories,
    words: (style) =>
      [...shown.map((memory) => formatMemory(memory, style)), style.dim(end(shown.length))].join('\n'),
  }
}

/** Words as somebody said them, in the quotation marks of their script. */
export function quote(text: string): string {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? `「${text}」` : `“${text}”`
}
