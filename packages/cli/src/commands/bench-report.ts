import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PairedDifference, ReportRun, RetentionReport } from '@keepsake/bench'
import { Command } from 'commander'
import { CliError, notFound } from '../cli-error.ts'
import { debugOption, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { print, printJson } from '../output/print.ts'

interface Options {
  readonly out?: string
  readonly html?: string
  readonly markdown?: string
  readonly wrongAnswers?: number
  readonly json?: boolean
}

/** Runs and forgetting reports, as they were read, and the runs against each other. */
interface Read {
  readonly runs: readonly ReportRun[]
  readonly retention: readonly RetentionReport[]
  readonly differences: readonly PairedDifference[]
}

/** `keepsake bench report`: what runs found, side by side. */
export function benchReportCommand(io: Io): Command {
  return new Command('report')
    .description(
      'Reports runs of the harness, one or several side by side: every run is also compared with the first, item by item. Prints Markdown; --html and --out write one HTML file with plots and the wrong answers.',
    )
    .argument(
      '<run...>',
      'folders that `keepsake bench run` made, and reports of `keepsake bench forgetting --json`',
    )
    .option('--out <folder>', 'write report.md and report.html there, and print where')
    .option('--html <file>', 'write the HTML to this file')
    .option('--markdown <file>', 'write the Markdown to this file')
    .option(
      '--wrong-answers <n>',
      'wrong answers of each run in the HTML, at most (default: 50)',
      wholeNumber(0, 10_000),
    )
    .option('--json', 'print all figures and differences as one JSON object and nothing else')
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples(
        'keepsake bench report bench-runs/locomo-keepsake-0f3a12',
        'keepsake bench report bench-runs/locomo-* --out report',
        'keepsake bench report bench-runs/locomo-* forgetting.json --html report.html',
      ),
    )
    .action((paths: string[], options: Options) => reportRuns(io, paths, options))
}

async function reportRuns(io: Io, paths: readonly string[], options: Options): Promise<void> {
  const read = await readRuns(paths, options)
  const written = await writeReports(read, options)
  if (options.json === true) {
    printJson(io, asJson(read))
  } else if (written.length > 0) {
    print(io, ...written.map((file) => `Wrote ${file}`))
  } else {
    const { renderMarkdown } = await import('@keepsake/bench')
    print(io, renderMarkdown(read.runs, read).trimEnd())
  }
}

async function readRuns(paths: readonly string[], { wrongAnswers }: Options): Promise<Read> {
  const { compareRuns, readReportInputs, ReportError } = await import('@keepsake/bench')
  try {
    const { runs, retention } = await readReportInputs(
      paths,
      wrongAnswers === undefined ? {} : { wrongAnswers },
    )
    return { runs, retention, differences: await compareRuns(runs) }
  } catch (error) {
    if (!(error instanceof ReportError)) throw error
    if (error.problem === 'missing') throw notFound(error.message, error)
    throw new CliError(error.message, EXIT.failure, { cause: error })
  }
}

/** @returns the files that were written. */
async function writeReports(read: Read, options: Options): Promise<string[]> {
  const { out, html, markdown, wrongAnswers } = options
  const { renderHtml, renderMarkdown } = await import('@keepsake/bench')
  const forMarkdown = [markdown, out === undefined ? undefined : join(out, 'report.md')]
  const forHtml = [html, out === undefined ? undefined : join(out, 'report.html')]
  const written: string[] = []
  for (const [files, render] of [
    [forMarkdown, () => Promise.resolve(renderMarkdown(read.runs, read))],
    [
      forHtml,
      () => renderHtml(read.runs, { ...read, ...(wrongAnswers === undefined ? {} : { wrongAnswers }) }),
    ],
  ] as const) {
    const wanted = files.filter((file) => file !== undefined)
    const text = wanted.length === 0 ? '' : await render()
    for (const file of wanted) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      written.push(file)
    }
  }
  return written
}

/** Without the questions: they are in the runs' logs. */
function asJson({ runs, retention, differences }: Read): object {
  return {
    runs: runs.map(({ label, source, summary, log }) => ({
      label,
      source,
      summary,
      log: log === null ? null : { asked: log.asked, wrong: log.wrong, lost: log.lost, remarks: log.remarks },
    })),
    differences,
    retention,
  }
}
