import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import type { PairedDifference, ReportRun } from '@keepsake/bench'
import { CliError, notFound } from '../cli-error.ts'
import { wholeNumber } from '../read-values.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Bench } from '../load-package.ts'
import type { Declared } from '../shared-options.ts'

const reportOptions = (command: Command) =>
  command
    .argument('<run...>', 'folders written by `keepsake bench`, and files written by --json')
    .option('--out <folder>', 'write report.md and report.html to this folder')
    .option(
      '--wrong-answers <n>',
      'most wrong answers per run in the HTML (default: 50)',
      wholeNumber(0, 10_000),
    )

type Options = Declared<typeof reportOptions>

interface ComparedRuns {
  readonly runs: readonly ReportRun[]
  readonly differences: readonly PairedDifference[]
}

/** Makes `keepsake bench report`, which shows the results of runs side by side. */
export const reportCommand = (bench: Bench): MakeCommand =>
  defineCommand({
    name: 'report',
    description:
      'Reports one or several runs side by side. It also compares each run with the first, item by item. It prints Markdown; --out also writes an HTML file with the wrong answers.',
    sharedOptions: [],
    declare: reportOptions,
    json: 'all figures and differences as one JSON object',
    examples: [
      'keepsake bench report bench-runs/locomo-keepsake-0f3a12',
      'keepsake bench report bench-runs/locomo-* forgetting.json --out report',
    ],
    async run({ options }, paths) {
      const compared = readRuns(bench, paths, options)
      const files = writeReports(bench, compared, options)
      return {
        data: asJson(compared),
        formatText: () =>
          files.length > 0
            ? files.map((file) => `Wrote ${file}`).join('\n')
            : bench.renderMarkdown(compared.runs, compared.differences).trimEnd(),
      }
    },
  })

function readRuns(bench: Bench, paths: readonly string[], { wrongAnswers }: Options): ComparedRuns {
  try {
    const runs = bench.readRuns(paths, { wrongAnswers })
    return { runs, differences: bench.compareRuns(runs) }
  } catch (error) {
    if (!(error instanceof bench.ReportError)) throw error
    if (error.problem === 'missing') throw notFound(error.message, error)
    throw new CliError(error.message, EXIT.failure, { cause: error })
  }
}

/** @returns the files that were written. */
function writeReports(
  bench: Bench,
  { runs, differences }: ComparedRuns,
  { out, wrongAnswers }: Options,
): string[] {
  if (out === undefined) return []
  mkdirSync(out, { recursive: true })
  const [markdown, html] = [join(out, 'report.md'), join(out, 'report.html')]
  writeFileSync(markdown, bench.renderMarkdown(runs, differences))
  writeFileSync(html, bench.renderHtml(runs, { differences, wrongAnswers }))
  return [markdown, html]
}

/** Returns the figures and differences as data, without the questions, which are in the runs' logs. */
function asJson({ runs, differences }: ComparedRuns): object {
  return {
    runs: runs.map(({ label, source, summary, log }) => ({
      label,
      source,
      summary,
      log: log === null ? null : { asked: log.questionCount, wrong: log.wrong, remarks: log.remarks },
    })),
    differences,
  }
}
