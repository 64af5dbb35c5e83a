/** Reports of runs: Markdown, and one HTML file. */
export { compareRuns } from './compare-runs.ts'
export { nameRuns } from './name-runs.ts'
export { readReportInputs, readRun, type ReadReportOptions } from './read-run.ts'
export { renderHtml, type HtmlOptions } from './render-html.ts'
export { renderMarkdown } from './render-markdown.ts'
export { ReportError } from './report-error.ts'
export type { BesideRuns, PairedDifference, ReportRun, RetentionReport } from './report-run.ts'
