import { composeReport } from './compose-report.ts'
import { footnotesOf } from './footnotes.ts'
import { formatCount, plainText } from './format-figure.ts'
import type { Block, Cell, Column, ReportTable } from './report-document.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'

/** Renders the tables of a report as Markdown, with the differences of `compareRuns`. */
export function renderMarkdown(
  runs: readonly ReportRun[],
  differences: readonly PairedDifference[] = [],
): string {
  const { title, sections } = composeReport(runs, differences)
  const parts = sections.flatMap((section) => [
    `## ${inline(section.title)}`,
    ...section.blocks.map(renderBlock),
  ])
  return `${[`# ${inline(title)}`, ...parts].join('\n\n')}\n`
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return inline(block.text)
    case 'warning':
      return `> **Mind:** ${inline(block.text)}`
    case 'settings':
      return fold(block.title, codeBlock(block.text))
    case 'wrong-answers':
      return block.runs
        .map(({ label, wrong }) => `- ${inline(label)}: ${formatCount(wrong)} wrong.`)
        .concat('', 'The HTML report shows them one by one.')
        .join('\n')
    case 'table':
      return renderTable(block)
  }
}

function renderTable(table: ReportTable): string {
  const { caption, isFolded = false, notes } = table
  const footnotes = footnotesOf(table)
  const notesBelow = [
    ...footnotes.notes.map(({ mark, text }) => `<sup>${mark}</sup> ${text}`),
    ...notes.map(inline),
  ]
  const body = [tableLines(table, footnotes.markOf), ...notesBelow].join('\n\n')
  return isFolded ? fold(caption, body) : `**${inline(caption)}**\n\n${body}`
}

function tableLines({ columns, rows }: ReportTable, markOf: (cell: Cell) => string): string {
  const isGrouped = rows.some(({ group }) => group !== undefined)
  const allColumns: Column[] = isGrouped ? [{ label: '', align: 'left' }, ...columns] : [...columns]
  const isAmbiguous = new Set(allColumns.map(({ label }) => label)).size < allColumns.length
  const head = allColumns.map(({ label, group }) =>
    inline(isAmbiguous && group !== undefined ? `${group}: ${label}` : label),
  )
  const rule = allColumns.map(({ align }) => (align === 'left' ? '---' : '--:'))
  const body = rows.map(({ cells, group = '' }, index) => {
    const isFirst = rows[index - 1]?.group !== group
    const texts = cells.map((cell) => renderCell(cell, markOf(cell)))
    return isGrouped ? [isFirst ? inline(group) : '', ...texts] : texts
  })
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function renderCell({ text, interval, count, isStrong = false }: Cell, mark: string): string {
  const value = isStrong ? `**${inline(text)}**` : inline(text)
  const note = mark === '' ? '' : `<sup>${mark}</sup>`
  const details = [interval, count].filter((detail) => detail !== undefined)
  return `${value}${note}${details.length === 0 ? '' : ` (${details.join('; ')})`}`
}

function fold(summary: string, body: string): string {
  return `<details><summary>${inline(summary)}</summary>\n\n${body}\n\n</details>`
}

/** Makes a code block. Its fence has more backticks than any run of them in the text. */
function codeBlock(code: string): string {
  const text = plainText(code)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

/** Escapes text so that it cannot leave its line, cell or element. */
function inline(text: string): string {
  return plainText(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([\\`*_[\]|~])/g, '\\$1')
    .replace(/^(\s*)(#+(?=\s)|[+-](?=\s)|\d+(?=\.\s))/, '$1\\$2')
    .trim()
}
