import type { Memory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import { formatCount, formatDay } from './format-quantity.ts'
import { printable, wrap, type Style } from './style.ts'

/** What a memory is, in a word or two: `fact`, `said`, `story 2`. */
export function kindOf(memory: Memory): string {
  switch (memory.form) {
    case 'utterance':
      return 'said'
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

/** The span in which it is, or was, so. */
function validity(memory: Memory): string {
  if (memory.validUntil === null) return formatDay(memory.validFrom)
  return `${formatDay(memory.validFrom)} to ${formatDay(memory.validUntil)}`
}

/** A memory's words, made safe to print; what it is made of where it has none of its own. */
export function wordsOf(memory: Memory, style: Style): string {
  if (memory.text !== '') return printable(memory.text)
  if (memory.status === 'erased') return style.dim('(erased)')
  if (memory.evidence.length === 0) return style.dim('(nothing worth telling)')
  return style.dim(
    `(${formatCount(memory.evidence.length, 'turn')} of session ${printable(memory.session)}, as they were said)`,
  )
}

/** A memory over a few lines: its id and nature, then its words. */
export function formatMemory(memory: Memory, style: Style, options: { indent?: string } = {}): string {
  const indent = options.indent ?? ''
  const marks = [
    kindOf(memory),
    memory.subject === 'user' ? '' : `about ${printable(memory.subject)}`,
    validity(memory),
    memory.pinned ? 'pinned' : '',
    memory.status === 'live' ? '' : memory.status,
  ].filter((mark) => mark !== '')
  const head = `${indent}${style.accent(shortId(memory.id))}  ${style.dim(marks.join(' · '))}`
  const reason =
    memory.status === 'live' || memory.reason === null
      ? []
      : [wrap(style.dim(memory.reason), style.width, `${indent}  `)]
  return [head, wrap(wordsOf(memory, style), style.width, `${indent}  `), ...reason].join('\n')
}

/** Words as somebody said them, in the quotation marks of their script. */
export function quote(text: string): string {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? `「${text}」` : `“${text}”`
}
