import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { composeReport } from './compose-report.ts'
import type { Block, Section, Cell, Column, ReportTable, Row } from './report-document.ts'
import type { PairedDifference, ReportRun, WrongAnswer } from './report-run.ts'
import { footnotesOf } from './footnotes.ts'
import { formatCount, plainText } from './format-figure.ts'
import { metricWords } from '../results/metric-words.ts'

/** The style of the page for phones, wide screens, dark mode and paper. */
const PAGE_STYLE = readAsset('page.css')
/** The script that filters wrong answers by the words of the search field. The page works without it. */
const PAGE_SCRIPT = readAsset('page.js').trimEnd()

/** The default number of wrong answers that are shown of each run. */
const MAX_WRONG_ANSWERS = 50

/** Options of {@link renderHtml}. */
export interface HtmlOptions {
  /** The result of `compareRuns`. */
  readonly differences?: readonly PairedDifference[]
  /** Maximum number of wrong answers that are shown of each run. Default 50. */
  readonly wrongAnswers?: number | undefined
}

/** Renders one HTML file with tables and wrong answers. All text is escaped. The security policy allows only the page's own script. */
export function renderHtml(runs: readonly ReportRun[], options: HtmlOptions = {}): string {
  const { wrongAnswers: maxAnswers = MAX_WRONG_ANSWERS, differences } = options
  const { title, sections } = composeReport(runs, differences)
  const bodies = sections.map((section) => sectionHtml(section, maxAnswers))
  const links = sections.map(({ id, title: name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">To the figures</a>
<header><h1>${escapeHtml(title)}</h1>
<nav aria-label="Sections"><ul>${links.join('')}</ul></nav></header>
<main id="main">
${bodies.join('\n')}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}

/** Writes the security policy of the page. It forbids all requests, and all scripts except the page's own, which it names by its hash. */
function policy(): string {
  const hash = createHash('sha256').update(PAGE_SCRIPT).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

function sectionHtml({ id, title, blocks }: Section, maxAnswers: number): string {
  const parts = blocks.map((block) => blockHtml(block, maxAnswers))
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>
${parts.join('\n')}</section>`
}

function blockHtml(block: Block, maxAnswers: number): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'warning':
      return `<div class="warning" role="note"><p>${escapeHtml(block.text)}</p></div>`
    case 'settings':
      return `<details class="settings"><summary>${escapeHtml(block.title)}</summary><pre>${escapeHtml(block.text)}</pre></details>`
    case 'table':
      return tableHtml(block)
    case 'wrong-answers':
      return wrongAnswersHtml(block.runs, maxAnswers)
  }
}

/** Escapes text for an element's content and for an attribute in double quotes. */
function escapeHtml(text: string): string {
  return plainText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function readAsset(name: string): string {
  return readFileSync(new URL(`../../data/report/${name}`, import.meta.url), 'utf8')
}

/** Cells of at most this many characters, such as a date or a model's name, stay on one line. */
const SHORT_CELL = 24

/** Renders a table. A table that is wider than the page scrolls, but not its caption and notes. */
function tableHtml(table: ReportTable): string {
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

/** The wrong answers of a run. */
interface RunAnswers {
  readonly label: string
  readonly wrong: number
  readonly answers: readonly WrongAnswer[]
}

/** Longer texts are cut. A context may be a whole conversation, and its beginning is enough to review an answer. */
const MAX_CHARACTERS = 1_500
/** Maximum number of retrieved memories that are shown. */
const MAX_RETRIEVED = 20

/** Renders the first `maxAnswers` wrong answers of each run, each folded, with a search field. */
function wrongAnswersHtml(runs: readonly RunAnswers[], maxAnswers: number): string {
  return `<form class="search" hidden role="search"><label for="search">Find in the wrong answers</label>
<input id="search" type="search" autocomplete="off" placeholder="A word, a system, a step"><output for="search"></output></form>
${runs.map((run) => runHtml(run, maxAnswers)).join('\n')}`
}

function runHtml({ label, wrong, answers }: RunAnswers, maxAnswers: number): string {
  const shown = answers.slice(0, maxAnswers)
  const hidden = wrong - shown.length
  let summary = `${formatCount(shown.length)} of ${formatCount(wrong)} wrong answers; ${formatCount(hidden)} are left out. The log has them all.`
  if (hidden === 0) summary = `All ${formatCount(wrong)} wrong answers.`
  if (wrong === 0) summary = 'No wrong answers.'
  return `<section class="answers"><h3>${escapeHtml(label)}</h3><p class="notes">${summary}</p>
${shown.map((answer) => answerHtml(label, answer)).join('\n')}</section>`
}

function answerHtml(label: string, answer: WrongAnswer): string {
  const step = answer.lost === null ? 'unknown' : metricWords('attribution', answer.lost).label
  const rows = [
    ['Reference', answer.reference || '(no answer is right: it was never said)'],
    ['Answer', answer.answer || '(none)'],
    ['Verdict', `${answer.verdict}${answer.reason === '' ? '' : `: ${answer.reason}`}`],
    ['Lost at', step],
    ...(answer.failure === null ? [] : [['Failure', answer.failure] as const]),
    ['Where', `${answer.conversation}, question ${answer.question}, ${answer.category}`],
  ] as const
  const terms = rows.map(([term, text]) => `<dt>${term}</dt><dd>${cut(text)}</dd>`)
  return `<details class="answer"><summary><span class="tag">${escapeHtml(answer.verdict)}</span> ${escapeHtml(answer.text)}</summary>
<dl>${terms.join('')}<dt>Retrieved</dt><dd>${retrievedHtml(answer)}</dd></dl><span class="unseen">${escapeHtml(label)}</span></details>`
}

function retrievedHtml({ retrieved, context }: WrongAnswer): string {
  if (retrieved.length === 0) {
    return context === ''
      ? '(nothing)'
      : `No single memories; the context began:<blockquote>${cut(context)}</blockquote>`
  }
  const items = retrieved.slice(0, MAX_RETRIEVED).map((memory) => `<li>${cut(memory)}</li>`)
  const hidden = retrieved.length - items.length
  return `<ol>${items.join('')}</ol>${hidden > 0 ? `<p class="notes">and ${formatCount(hidden)} more</p>` : ''}`
}

function cut(text: string): string {
  const excess = text.length - MAX_CHARACTERS
  if (excess <= 0) return escapeHtml(text)
  // Removes the first half of a character (surrogate pair) that the cut may have split.
  const head = text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
  return `${escapeHtml(head)}… (${formatCount(excess)} more characters)`
}
