import type { Comparison } from './compare-settings.ts'
import { NOTHING, whole } from './format-figure.ts'
import type { Block, ReportTable, Section } from './report-document.ts'
import type { NamedRun } from './report-run.ts'
import { sum } from '../metrics/means.ts'

const FEW = 5

/** The data, the conditions and, first, what prevents comparison. */
export function conditionsSection(runs: readonly NamedRun[], comparison: Comparison): Section {
  const remarks = new Set(runs.flatMap(({ run }) => run.summary.remarks))
  return {
    id: 'conditions',
    title: 'What was measured',
    blocks: [
      ...warnings(runs, comparison),
      runsTable(runs),
      ...[...remarks].map((text): Block => ({ kind: 'paragraph', text })),
      { kind: 'settings', title: 'Commands and settings', text: together(runs).map(settingsOf).join('\n\n') },
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

/** Joins systems measured together to one run, under all their names. */
function together(runs: readonly NamedRun[]): NamedRun[] {
  const bySource = Map.groupBy(runs, ({ run }) => JSON.stringify([run.source, run.summary.command]))
  return [...bySource.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, name: [first, ...others].map(({ name }) => name).join(', ') }],
  )
}

function runsTable(runs: readonly NamedRun[]): ReportTable {
  const columns: readonly (readonly [label: string, of: (run: NamedRun) => string, isNumber?: true])[] = [
    ['system', ({ name }) => name],
    ['benchmark', ({ run }) => run.summary.benchmark],
    ['data', ({ run }) => run.summary.dataset],
    ['conversations', ({ run: { summary } }) => numberOr(summary.conversations), true],
    ['reader', ({ run }) => run.summary.reader ?? NOTHING],
    ['judge', ({ run }) => run.summary.judge ?? NOTHING],
    ['failures', ({ run }) => whole(run.summary.failures), true],
    ['left out', ({ run }) => whole(sum(Object.values(run.summary.leftOut))), true],
    ['finished', ({ run }) => run.summary.finishedAt.slice(0, 10)],
  ]
  return {
    kind: 'table',
    caption: 'Runs',
    columns: columns.map(([label, , isNumber]) => ({ label, align: isNumber === true ? 'right' : 'left' })),
    rows: together(runs).map((run) => ({ cells: columns.map(([, of]) => ({ text: of(run) })) })),
    notes: [...hashes(runs), ...leftOut(runs), ...tooFew(runs)],
  }
}

const numberOr = (value: number | null): string => (value === null ? NOTHING : whole(value))

function hashes(runs: readonly NamedRun[]): string[] {
  const data = new Map(runs.map(({ run: { summary } }) => [summary.dataHash, summary.dataset]))
  return [...data].map(
    ([hash, dataset]) => `Data of ${dataset}: ${hash.startsWith('seed ') ? '' : 'sha256 '}${hash}.`,
  )
}

/** Notes that a narrow interval over two people proves nothing about a third. */
function tooFew(runs: readonly NamedRun[]): string[] {
  const small = runs.flatMap(({ run: { summary }, name }) =>
    summary.conversations === null || summary.conversations >= FEW
      ? []
      : [`${name} ${whole(summary.conversations)}`],
  )
  if (small.length === 0) return []
  return [
    `Intervals over fewer than ${FEW} conversations say little, and are mostly too narrow: ${small.join(', ')}.`,
  ]
}

/** Questions left out of scoring, by reason; once where the runs agree. */
function leftOut(runs: readonly NamedRun[]): string[] {
  const reasons = runs.flatMap(({ run: { summary }, name }) => {
    const reason = Object.entries(summary.leftOut)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${whole(count)} ${reason}`)
    return reason.length === 0 ? [] : [{ name, reason: reason.join(', ') }]
  })
  const same = Map.groupBy(reasons, ({ reason }) => reason)
  return [...same].map(([reason, of]) => {
    const who = of.length === runs.length ? '' : ` (${of.map(({ name }) => name).join(', ')})`
    return `Questions left out${who}: ${reason}.`
  })
}

function settingsOf({ run: { summary, source }, name }: NamedRun): string {
  const { command, tasks, startedAt, finishedAt, machine, config } = summary
  return [
    name,
    `  command    ${command || 'not said'}`,
    `  read from  ${source}`,
    `  tasks      ${tasks.join(', ')}`,
    `  started    ${startedAt}`,
    `  finished   ${finishedAt}`,
    `  machine    ${machine === null ? 'not noted' : tellMachine(machine)}`,
    ...Object.entries(config).map(([setting, value]) => `  ${setting}: ${JSON.stringify(value)}`),
  ].join('\n')
}

function tellMachine(machine: NonNullable<NamedRun['run']['summary']['machine']>): string {
  const { node, platform, arch, processors, keepsake, load } = machine
  const [before, after] = load
  return `Keepsake ${keepsake}, Node ${node}, ${platform} ${arch}, ${processors} processors, load ${before} before and ${after ?? 'unknown'} after`
}

/** Failures outside of questions, and irregularities of a log. */
export function failuresSection(runs: readonly NamedRun[]): Section[] {
  const failures = runs.flatMap(({ run, name }) =>
    (run.log?.failures ?? []).map(({ conversation, where, message }) => ({
      cells: [name, conversation, where, message].map((text) => ({ text })),
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

export function readingSection(): Section {
  const texts = [
    'Rates are over all items of all conversations. Beneath a value stands its 95 % interval, by bootstrap over people or conversations, not over questions, and n is what it is over. An arrow says which way is better.',
    'Verdicts of different judges are different measurements: each judge has tables of its own, and what needs no judge is apart from both. The deterministic judge compares words; its figures are no stand-in for a language model’s, nor for a paper’s.',
    'A failed call counts as a wrong answer; it is never left out of a mean.',
    'What is kept is a mean over people, who count alike; under a capacity a policy may hold no more at any time.',
  ]
  return {
    id: 'reading',
    title: 'How to read this',
    blocks: texts.map((text) => ({ kind: 'paragraph', text })),
  }
}
