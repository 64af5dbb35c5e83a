import type { Comparison } from './compare-settings.ts'
import { NOTHING, whole } from './format-figure.ts'
import type { Block, ReportTable, Section } from './report-document.ts'
import type { ReportInput } from './report-run.ts'
import type { NamedRun } from './task-sections.ts'

const FEW = 5

/** What was measured on what, under which conditions; and, first, what keeps runs from being compared. */
export function conditionsSection(runs: readonly NamedRun[], comparison: Comparison): Section {
  return {
    id: 'conditions',
    title: 'What was measured',
    blocks: [
      ...warnings(runs, comparison),
      runsTable(runs),
      { kind: 'settings', title: 'Commands and settings', text: runs.map(settingsOf).join('\n\n') },
    ],
  }
}

function warnings(runs: readonly NamedRun[], { differing }: Comparison): Block[] {
  if (differing.length === 0) return []
  return [
    {
      kind: 'warning',
      text: 'Not all of these runs can be compared: they were not made under the same conditions. Only runs with the same letter in brackets were.',
    },
    {
      kind: 'table',
      caption: 'What differs between the runs',
      columns: ['system', ...differing.map(({ setting }) => setting)].map((label) => ({
        label,
        align: 'left',
      })),
      rows: runs.map(({ name }, index) => ({
        cells: [name, ...differing.map(({ values }) => values[index] ?? '')].map((text) => ({ text })),
      })),
      notes: [],
    },
  ]
}

function runsTable(runs: readonly NamedRun[]): ReportTable {
  const rows = runs.map(({ run: { summary }, name }) => ({
    cells: [
      { text: name },
      { text: summary.dataset },
      { text: whole(summary.conversations) },
      { text: summary.reader ?? NOTHING },
      { text: summary.judge ?? NOTHING },
      { text: whole(summary.failures) },
      {
        text: Object.values(summary.leftOut)
          .reduce((sum, count) => sum + count, 0)
          .toLocaleString('en'),
      },
      { text: summary.finishedAt.slice(0, 10) },
    ],
  }))
  const heads = ['system', 'data', 'conversations', 'reader', 'judge', 'failures', 'left out', 'finished']
  const isNumber = new Set(['conversations', 'failures', 'left out'])
  return {
    kind: 'table',
    caption: 'Runs',
    columns: heads.map((label) => ({ label, align: isNumber.has(label) ? 'right' : 'left' })),
    rows,
    notes: [...hashes(runs), ...leftOut(runs), ...tooFew(runs)],
  }
}

function hashes(runs: readonly NamedRun[]): string[] {
  const data = new Map(runs.map(({ run: { summary } }) => [summary.dataHash, summary.dataset]))
  return [...data].map(([hash, dataset]) => `Data of ${dataset}: sha256 ${hash}.`)
}

/** Resampling two people gives a narrow interval that says nothing of a third. */
function tooFew(runs: readonly NamedRun[]): string[] {
  const small = runs.filter(({ run }) => run.summary.conversations < FEW)
  if (small.length === 0) return []
  const who = small.map(({ run, name }) => `${name} ${whole(run.summary.conversations)}`).join(', ')
  return [`Intervals over fewer than ${FEW} conversations say little, and are mostly too narrow: ${who}.`]
}

/** Left out of what is scored, by reason; said once where the runs agree. */
function leftOut(runs: readonly NamedRun[]): string[] {
  const reasons = runs.flatMap(({ run: { summary }, name }) => {
    const told = Object.entries(summary.leftOut)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${whole(count)} ${reason}`)
    return told.length === 0 ? [] : [{ name, told: told.join(', ') }]
  })
  const same = Map.groupBy(reasons, ({ told }) => told)
  return [...same].map(([told, of]) => {
    const who = of.length === runs.length ? '' : ` (${of.map(({ name }) => name).join(', ')})`
    return `Questions left out${who}: ${told}.`
  })
}

function settingsOf({ run: { summary, source }, name }: NamedRun): string {
  return [
    name,
    `  command    ${summary.command || 'not said'}`,
    `  read from  ${source}`,
    `  tasks      ${summary.tasks.join(', ')}`,
    `  started    ${summary.startedAt}`,
    `  finished   ${summary.finishedAt}`,
    ...Object.entries(summary.config).map(([setting, value]) => `  ${setting}: ${JSON.stringify(value)}`),
  ].join('\n')
}

/** What failed and is no question, and what is odd about a log. */
export function failuresSection(runs: readonly NamedRun[]): Section[] {
  const failures = runs.flatMap(({ run, name }) =>
    (run.log?.failures ?? []).map(({ conversation, where, message }) => ({
      cells: [{ text: name }, { text: conversation }, { text: where }, { text: message }],
    })),
  )
  const remarks = runs.flatMap(({ run, name }) => (run.log?.remarks ?? []).map((said) => `${name}: ${said}`))
  const table: ReportTable = {
    kind: 'table',
    caption: 'What failed besides questions',
    columns: ['system', 'conversation', 'where', 'message'].map((label) => ({ label, align: 'left' })),
    rows: failures,
    notes: [],
  }
  const blocks: Block[] = [
    ...(failures.length === 0 ? [] : [table]),
    ...remarks.map((text): Block => ({ kind: 'paragraph', text })),
  ]
  return blocks.length === 0 ? [] : [{ id: 'failures', title: 'Failures', blocks }]
}

/** How the figures are to be read. */
export function readingSection({ runs, retention = [] }: ReportInput): Section {
  const texts = [
    ...(runs.length === 0
      ? []
      : [
          'Rates are over all items of all conversations. Beneath a value stands its 95 % interval, by bootstrap over people or conversations, not over questions, and n is what it is over. An arrow says which way is better.',
          'Verdicts of different judges are different measurements: each judge has tables of its own, and what needs no judge is apart from both. The deterministic judge compares words; its figures are no stand-in for a language model’s, nor for a paper’s.',
          'A failed call counts as a wrong answer; it is never left out of a mean.',
        ]),
    ...(retention.length === 0
      ? []
      : [
          'Retention curves are means over people; the policy may hold no more than the capacity at any time.',
        ]),
  ]
  return {
    id: 'reading',
    title: 'How to read this',
    blocks: texts.map((text) => ({ kind: 'paragraph', text })),
  }
}
