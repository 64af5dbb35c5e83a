import { footnotesOf } from '../footnotes.ts'
import type { Cell, Column, ReportTable, Row } from '../report-document.ts'
import { escapeHtml } from './escape-html.ts'

/** Shorter cells stay on one line: a date, a model's name. */
const SHORT = 24

/** A table that scrolls when it is wider than the page, with fixed caption and notes. */
export function tableHtml(table: ReportTable): string {
  const { caption, columns, rows, notes, isFolded = false } = table
  const footnotes = footnotesOf(table)
  const name = escapeHtml(caption)
  const body = groups(rows).map((own) => rowGroup(own, columns, footnotes.markOf))
  const notesHtml = [
    ...footnotes.notes.map(({ mark, text }) => `<p><sup>${mark}</sup> ${escapeHtml(text)}</p>`),
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
  ].join('')
  const drawn = `<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<caption${isFolded ? ' class="unseen"' : ''}><span>${name}</span></caption>
<thead>${head(columns)}</thead>
${body.join('\n')}
</table></div>
${notesHtml === '' ? '' : `<div class="notes">${notesHtml}</div>`}`
  return isFolded
    ? `<details class="fold"><summary>${name}</summary>${drawn}</details>`
    : `<div class="table">${drawn}</div>`
}

function head(columns: readonly Column[]): string {
  const labels = columns.map(
    ({ label, align }) => `<th scope="col" class="${align}">${escapeHtml(label)}</th>`,
  )
  const isGrouped = columns.some(({ group }) => group !== undefined)
  return `${isGrouped ? `<tr>${columnGroups(columns)}</tr>` : ''}<tr>${labels.join('')}</tr>`
}

/** Adjacent columns of one group share a heading. */
function columnGroups(columns: readonly Column[]): string {
  const spans: { group: string; width: number }[] = []
  for (const { group = '' } of columns) {
    const last = spans.at(-1)
    if (last?.group === group) last.width += 1
    else spans.push({ group, width: 1 })
  }
  return spans
    .map(({ group, width }) =>
      group === ''
        ? `<td colspan="${width}"></td>`
        : `<th scope="colgroup" colspan="${width}" class="group">${escapeHtml(group)}</th>`,
    )
    .join('')
}

function groups(rows: readonly Row[]): Row[][] {
  const rowGroups: Row[][] = []
  for (const row of rows) {
    const last = rowGroups.at(-1)
    if (last !== undefined && last[0]?.group === row.group) last.push(row)
    else rowGroups.push([row])
  }
  return rowGroups
}

function rowGroup(rows: readonly Row[], columns: readonly Column[], markOf: (cell: Cell) => string): string {
  const group = rows[0]?.group
  const title =
    group === undefined
      ? ''
      : `<tr class="part"><th scope="rowgroup" colspan="${columns.length}"><span>${escapeHtml(group)}</span></th></tr>`
  return `<tbody>${title}${rows.map((row) => tableRow(row, columns, markOf)).join('\n')}</tbody>`
}

function tableRow({ cells }: Row, columns: readonly Column[], markOf: (cell: Cell) => string): string {
  const drawn = cells.map((cell, index) => {
    const content = cellContent(cell, markOf(cell))
    if (index === 0) return `<th scope="row">${content}</th>`
    const short = cell.text.length <= SHORT ? ' short' : ''
    return `<td class="${columns[index]?.align ?? 'left'}${short}">${content}</td>`
  })
  return `<tr>${drawn.join('')}</tr>`
}

function cellContent({ text, interval, count, isStrong = false }: Cell, mark: string): string {
  const value = isStrong ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text)
  const note = mark === '' ? '' : `<sup>${mark}</sup>`
  const more = [interval, count === undefined || count.endsWith('%') ? count : `n ${count}`].flatMap(
    (part) => (part === undefined ? [] : [`<small>${escapeHtml(part)}</small>`]),
  )
  return `${value}${note}${more.join('')}`
}
