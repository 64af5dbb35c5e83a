// Reads Markdown tables in which users describe themselves.
import { ABOUT_ME } from '../rules/matching/spell-out.ts'
import { namesTopic } from './topic-labels.ts'

/** Matches a row of two cells: “| Lives in | Bergen |”. */
const ROW = /^([ \t]*)\|([^|\n]*)\|([^|\n]*)\|?([ \t]*)$/u
const RULE = /^[ \t]*\|[\s:|-]*-[\s:|-]*$/
/** Matches the beginning of a label about oneself that is a verb: “Lives in”, “Allergic to”. */
const VERB_LABEL = /^\s*(?:lives?|works?|studies|speaks|allergic|born)\b|^\s*(?:姓名|住|职业)/iu

/**
 * Rewrites the rows of a table about its author as labelled lines of the same length, “| Name | Lars |” as “  Name : Lars  ”. The table
 * is the author's own below “About me”, or if it is all of the text and each label is a topic of a person.
 */
export function spellOwnTables(text: string): string {
  if (!text.includes('|')) return text
  const lines = text.split('\n')
  const rows = lines.map((line) => (RULE.test(line) ? null : ROW.exec(line)))
  const cells = rows.flatMap((row) => (row === null ? [] : [{ label: row[2] ?? '', value: row[3] ?? '' }]))
  const title = lines.find((line) => line.trim() !== '')?.replaceAll('|', ' ') ?? ''
  const isWhole = lines.every((line, index) => line.trim() === '' || RULE.test(line) || rows[index] !== null)
  const hasTopics = cells.every(({ label, value }) => isTopic(label) && !isTopic(value))
  const labelled = cells.filter(({ label }) => isTopic(label)).length
  if (cells.length < 2 || !(ABOUT_ME.test(title) || (isWhole && (hasTopics || isHeaded(cells, labelled)))))
    return text
  return lines
    .map((line, index) => {
      if (RULE.test(line)) return ' '.repeat(line.length)
      const [whole, before = '', label = '', value = '', after = ''] = rows[index] ?? []
      if (whole === undefined) return line
      const sign = value.trim() === '' ? ' ' : ':'
      return `${before} ${label}${sign}${value}${after}`.padEnd(line.length)
    })
    .join('\n')
}

const isTopic = (cell: string): boolean => VERB_LABEL.test(cell) || (/\p{L}/u.test(cell) && namesTopic(cell))

/** Reports whether all rows but the first, which names the columns, have a label: “field | value”. */
function isHeaded(cells: readonly { label: string; value: string }[], labelled: number): boolean {
  const [first] = cells
  return (
    labelled === cells.length - 1 && first !== undefined && !isTopic(first.label) && !isTopic(first.value)
  )
}
