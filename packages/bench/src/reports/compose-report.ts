import { compareSettings } from './compare-settings.ts'
import { attributionSection, costSection } from './cost-sections.ts'
import { differencesSection } from './differences-section.ts'
import { conditionsSection, failuresSection, readingSection } from './header-sections.ts'
import type { ReportDocument, Section } from './report-document.ts'
import type { ReportInput } from './report-run.ts'
import { retentionSection } from './retention-section.ts'
import { overviewSection, taskSections, type NamedRun } from './task-sections.ts'

/** What a report says, in order, before it is Markdown or HTML. */
export function composeReport(input: ReportInput): ReportDocument {
  const { runs, retention = [], differences = [] } = input
  const comparison = compareSettings(runs)
  const named = runs.map((run): NamedRun => {
    const letter = comparison.groupOf.get(run) ?? ''
    return { run, name: letter === '' ? run.label : `${run.label} (${letter})` }
  })
  const sections: Section[] = [
    ...(runs.length === 0 ? [] : [conditionsSection(named, comparison)]),
    ...overviewSection(named),
    ...taskSections(named),
    ...differencesSection(named, comparison, differences),
    ...costSection(named),
    ...attributionSection(named),
    ...retentionSection(retention),
    ...failuresSection(named),
    ...wrongAnswersSection(named),
    readingSection(input),
  ]
  return { title: titleOf(input), sections }
}

function titleOf({ runs, retention = [] }: ReportInput): string {
  const datasets = new Set([
    ...runs.map(({ summary }) => summary.dataset),
    ...retention.map((one) => one.dataset),
  ])
  const [only] = runs
  const what = [...datasets].join(', ')
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
