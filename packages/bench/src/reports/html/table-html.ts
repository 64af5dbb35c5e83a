import { footnotesOf } from '../footnotes.ts'
import type { Cell, Column, ReportTable, Row } from '../report-document.ts'
import { escapeHtml } from './escape-html.ts'

/** Cells of at most this many characters, such as a date or a model's name, stay on one line. */
const SHORT_CELL = 24

/** Renders a table. It scrolls when it is wider than the page; its caption and notes do not. */
export function tableHtml(table: ReportTable): string {
  const { caption, columns, rows, notes, isFolded = false } = table
  const footnotes = footnotesOf(table)
  const name = escapeHtml(caption)
  const body = groupRows(rows).map((group) => rowGroupHtml(group, columns, footnotes.markOf))
  const notesHtml = [
    ...footnotes.notes.map(({ mark, text }) => `<p><sup>${mark}</sup> ${escapeHtml(text)}</p>`),
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
  ].join('')
  const html = `<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<caption${isFolded ? ' class="unseen"' : ''}><span>${name}</span></caption>
<thead>${headHtml(columns)}</thead>
${body.join('\n')}
</table></div>
${notesHtml === '' ? '' : `<div class="notes">${notesHtml}</div>`}`
  return isFolded
    ? `<details class="fold"><summary>${name}</summary>${html}</details>`
    : `<div class="table">${html}</div>`
}

function headHtml(columns: readonly Column[]): string {
  const labels = columns.map(
    ({ label, align }) => `<th scope="col" class="${align}">${escapeHtml(label)}</th>`,
  )
  const isGrouped = columns.some(({ group }) => group !== undefined)
  return `${isGrouped ? `<tr>${columnGroupsHtml(columns)}</tr>` : ''}<tr>${labels.join('')}</tr>`
}

function columnGroupsHtml(columns: readonly Column[]): string {
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

/** Collects adjacent rows of one group. */
function groupRows(rows: readonly Row[]): Row[][] {
  const rowGroups: Row[][] = []
  for (const row of rows) {
    const last = rowGroups.at(-1)
    if (last !== undefined && last[0]?.group === row.group) last.push(row)
    else rowGroups.push([row])
  }
  return rowGroups
}

function rowGroupHtml(
  rows: readonly Row[],
  columns: readonly Column[],
  markOf: (cell: Cell) => string,
): string {
  const group = rows[0]?.group
  const title =
    group === undefined
      ? ''
      : `<tr class="part"><th scope="rowgroup" colspan="${columns.length}"><span>${escapeHtml(group)}</span></th></tr>`
  return `<tbody>${title}${rows.map((row) => rowHtml(row, columns, markOf)).join('\n')}</tbody>`
}

function rowHtml({ cells }: Row, columns: readonly Column[], markOf: (cell: Cell) => string): string {
  const cellsHtml = cells.map((cell, index) => {
    const content = cellContent(cell, markOf(cell))
    if (index === 0) return `<th scope="row">${content}</th>`
    const short = cell.text.length <= SHORT_CELL ? ' short' : ''
    return `<td class="${columns[index]?.align ?? 'left'}${short}">${content}</td>`
  })
  return `<tr>${cellsHtml.join('')}</tr>`
}

function cellContent({ text, interval, count, isStrong = false }: Cell, mark: string): string {
  const value = isStrong ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text)
  const note = mark === '' ? '' : `<sup>${mark}</sup>`
  const countText = count === undefined || count.endsWith('%') ? count : `n ${count}`
  const details = [interval, countText].filter((part) => part !== undefined)
  return `${value}${note}${details.map((part) => `<small>${escapeHtml(part)}</small>`).join('')}`
}
