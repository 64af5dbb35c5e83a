/** Reports of runs: Markdown, one HTML file, and the few figures that a run is known by. */
export { compareRuns } from './compare-runs.ts'
export { headlineTable } from './headline-table.ts'
export { readRuns } from './read-runs.ts'
export { renderHtml, type HtmlOptions } from './render-html.ts'
export { renderMarkdown } from './render-markdown.ts'
export { ReportError } from './report-error.ts'
export type { PairedDifference, ReportRun } from './report-run.ts'
