import { compareSettings } from './compare-settings.ts'
import { differencesSection } from './differences-section.ts'
import { conditionsSection, failuresSection, readingSection } from './header-sections.ts'
import { nameRuns } from './read-runs.ts'
import type { ReportDocument, Section } from './report-document.ts'
import type { PairedDifference, ReportRun, NamedRun } from './report-run.ts'
import { overviewSection, taskSections } from './task-sections.ts'

/** Composes a report, which other functions render. `differences` are between runs, named by their labels. */
export function composeReport(
  unnamedRuns: readonly ReportRun[],
  differences: readonly PairedDifference[] = [],
): ReportDocument {
  const runs = nameRuns(unnamedRuns)
  const comparison = compareSettings(runs)
  const namedRuns = runs.map((run): NamedRun => {
    const letter = comparison.groupOf.get(run) ?? ''
    return { run, name: letter === '' ? run.label : `${run.label} (${letter})` }
  })
  const sections: Section[] = [
    conditionsSection(namedRuns, comparison),
    ...overviewSection(namedRuns),
    ...taskSections(namedRuns),
    ...differencesSection(namedRuns, comparison, differences),
    ...failuresSection(namedRuns),
    ...wrongAnswersSection(namedRuns),
    readingSection(),
  ]
  return { title: titleOf(runs), sections }
}

function titleOf(runs: readonly ReportRun[]): string {
  const datasets = [...new Set(runs.map(({ summary }) => summary.dataset))].join(', ')
  const [first] = runs
  return runs.length === 1 && first !== undefined
    ? `${first.label} on ${datasets}`
    : `Memory systems on ${datasets}`
}

function wrongAnswersSection(runs: readonly NamedRun[]): Section[] {
  const answeringRuns = runs.flatMap(({ run: { log }, name }) =>
    log === null || log.questionCount === 0
      ? []
      : [{ label: name, wrong: log.wrong, answers: log.wrongAnswers }],
  )
  if (answeringRuns.length === 0) return []
  const blocks = [{ kind: 'wrong-answers', runs: answeringRuns } as const]
  return [{ id: 'wrong-answers', title: 'Wrong answers', blocks }]
}
