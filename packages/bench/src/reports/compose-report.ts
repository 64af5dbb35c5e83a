import { compareSettings } from './compare-settings.ts'
import { differencesSection } from './differences-section.ts'
import { conditionsSection, failuresSection, readingSection } from './header-sections.ts'
import { nameRuns } from './read-runs.ts'
import type { ReportDocument, Section } from './report-document.ts'
import type { PairedDifference, ReportRun, NamedRun } from './report-run.ts'
import { overviewSection, taskSections } from './task-sections.ts'

/**
 * Composes a report, before it is Markdown or HTML.
 *
 * @param differences of runs against each other, by their labels
 */
export function composeReport(
  given: readonly ReportRun[],
  differences: readonly PairedDifference[] = [],
): ReportDocument {
  const runs = nameRuns(given)
  const comparison = compareSettings(runs)
  const named = runs.map((run): NamedRun => {
    const letter = comparison.groupOf.get(run) ?? ''
    return { run, name: letter === '' ? run.label : `${run.label} (${letter})` }
  })
  const sections: Section[] = [
    conditionsSection(named, comparison),
    ...overviewSection(named),
    ...taskSections(named),
    ...differencesSection(named, comparison, differences),
    ...failuresSection(named),
    ...wrongAnswersSection(named),
    readingSection(),
  ]
  return { title: titleOf(runs), sections }
}

function titleOf(runs: readonly ReportRun[]): string {
  const what = [...new Set(runs.map(({ summary }) => summary.dataset))].join(', ')
  const [only] = runs
  return runs.length === 1 && only !== undefined ? `${only.label} on ${what}` : `Memory systems on ${what}`
}

function wrongAnswersSection(runs: readonly NamedRun[]): Section[] {
  const answered = runs.flatMap(({ run, name }) =>
    run.log === null || run.log.asked === 0
      ? []
      : [{ label: name, wrong: run.log.wrong, answers: run.log.wrongAnswers }],
  )
  return answered.length === 0
    ? []
    : [{ id: 'wrong-answers', title: 'Wrong answers', blocks: [{ kind: 'wrong-answers', runs: answered }] }]
}
