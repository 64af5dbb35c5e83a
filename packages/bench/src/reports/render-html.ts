import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { composeReport } from './compose-report.ts'
import { escapeHtml } from './html/escape-html.ts'
import { tableHtml } from './html/table-html.ts'
import { wrongAnswersHtml } from './html/wrong-answers-html.ts'
import type { Block, PlotBlock, Section } from './report-document.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'

/** The style of the page for phones, wide screens, dark mode and paper. */
const PAGE_STYLE = readAsset('page.css')
/** Filters wrong answers by all words of the field. The page works without it. */
const PAGE_SCRIPT = readAsset('page.js').trimEnd()

/** The default number of wrong answers that are shown of each run. */
const MAX_WRONG_ANSWERS = 50

export interface HtmlOptions {
  /** The result of `compareRuns`. */
  readonly differences?: readonly PairedDifference[]
  /** Maximum number of wrong answers that are shown of each run. Default 50. */
  readonly wrongAnswers?: number | undefined
}

/** Renders one HTML file with tables, plots and wrong answers, which are escaped. Its security policy allows only its own script. */
export async function renderHtml(runs: readonly ReportRun[], options: HtmlOptions = {}): Promise<string> {
  const { wrongAnswers: maxAnswers = MAX_WRONG_ANSWERS, differences } = options
  const { title, sections } = composeReport(runs, differences)
  const bodies: string[] = []
  for (const section of sections) bodies.push(await sectionHtml(section, maxAnswers))
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

/** The security policy of the page. It forbids all requests, and all scripts except the page's own, which it names by its hash. */
function policy(): string {
  const hash = createHash('sha256').update(PAGE_SCRIPT).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

async function sectionHtml({ id, title, blocks }: Section, maxAnswers: number): Promise<string> {
  const parts: string[] = []
  for (const block of blocks) parts.push(await blockHtml(block, maxAnswers))
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>
${parts.join('\n')}</section>`
}

async function blockHtml(block: Block, maxAnswers: number): Promise<string> {
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
    case 'plots':
      return plotsHtml(block.plots)
  }
}

async function plotsHtml(plots: readonly PlotBlock[]): Promise<string> {
  const figures: string[] = []
  for (const plot of plots) figures.push(await plotHtml(plot))
  return figures.length === 0 ? '' : `<div class="plots">${figures.join('\n')}</div>`
}

async function plotHtml({ title, description, draw }: PlotBlock): Promise<string> {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>
<div role="img" aria-label="${escapeHtml(description)}">${await draw()}</div></figure>`
}

function readAsset(name: string): string {
  return readFileSync(new URL(`../../data/report/${name}`, import.meta.url), 'utf8')
}
