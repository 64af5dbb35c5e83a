import type { Comparison } from './compare-settings.ts'
import { NOTHING, formatCount } from './format-figure.ts'
import type { Block, ReportTable, Section } from './report-document.ts'
import type { NamedRun } from './report-run.ts'
import { sum } from '../metrics/means.ts'

/** Intervals over fewer conversations than this are mostly too narrow. */
const FEW_CONVERSATIONS = 5

/** Shows the data and conditions of the runs. If runs cannot be compared, it first says why. */
export function conditionsSection(runs: readonly NamedRun[], comparison: Comparison): Section {
  const remarks = new Set(runs.flatMap(({ run }) => run.summary.remarks))
  return {
    id: 'conditions',
    title: 'What was measured',
    blocks: [
      ...warnings(runs, comparison),
      runsTable(runs),
      ...[...remarks].map((text): Block => ({ kind: 'paragraph', text })),
      {
        kind: 'settings',
        title: 'Commands and settings',
        text: joinSystems(runs).map(settingsOf).join('\n\n'),
      },
    ],
  }
}

function warnings(runs: readonly NamedRun[], { differing }: Comparison): Block[] {
  if (differing.length === 0) return []
  return [
    {
      kind: 'warning',
      text: 'Not all of these runs can be compared, because their conditions differ. Only runs with the same letter in brackets have the same conditions.',
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

/** Joins systems that one run measured to one entry, under all their names. */
function joinSystems(runs: readonly NamedRun[]): NamedRun[] {
  const bySource = Map.groupBy(runs, ({ run }) => JSON.stringify([run.source, run.summary.command]))
  return [...bySource.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, name: [first, ...others].map(({ name }) => name).join(', ') }],
  )
}

type RunColumn = readonly [label: string, textOf: (run: NamedRun) => string, isNumber?: true]

function runsTable(runs: readonly NamedRun[]): ReportTable {
  const columns: readonly RunColumn[] = [
    ['system', ({ name }) => name],
    ['benchmark', ({ run }) => run.summary.benchmark],
    ['data', ({ run }) => run.summary.dataset],
    ['conversations', ({ run: { summary } }) => numberOr(summary.conversations), true],
    ['reader', ({ run }) => run.summary.reader ?? NOTHING],
    ['judge', ({ run }) => run.summary.judge ?? NOTHING],
    ['failures', ({ run }) => formatCount(run.summary.failures), true],
    ['left out', ({ run }) => formatCount(sum(Object.values(run.summary.leftOut))), true],
    ['finished', ({ run }) => run.summary.finishedAt.slice(0, 10)],
  ]
  return {
    kind: 'table',
    caption: 'Runs',
    columns: columns.map(([label, , isNumber]) => ({ label, align: isNumber === true ? 'right' : 'left' })),
    rows: joinSystems(runs).map((run) => ({ cells: columns.map(([, textOf]) => ({ text: textOf(run) })) })),
    notes: [...noteHashes(runs), ...noteLeftOut(runs), ...noteFewConversations(runs)],
  }
}

const numberOr = (value: number | null): string => (value === null ? NOTHING : formatCount(value))

function noteHashes(runs: readonly NamedRun[]): string[] {
  const data = new Map(runs.map(({ run: { summary } }) => [summary.dataHash, summary.dataset]))
  return [...data].map(
    ([hash, dataset]) => `Data of ${dataset}: ${hash.startsWith('seed ') ? '' : 'sha256 '}${hash}.`,
  )
}

/** Notes which runs have few conversations. A narrow interval over two people proves nothing about a third. */
function noteFewConversations(runs: readonly NamedRun[]): string[] {
  const small = runs.flatMap(({ run: { summary }, name }) =>
    summary.conversations === null || summary.conversations >= FEW_CONVERSATIONS
      ? []
      : [`${name} ${formatCount(summary.conversations)}`],
  )
  if (small.length === 0) return []
  return [
    `Intervals over fewer than ${FEW_CONVERSATIONS} conversations are unreliable and mostly too narrow: ${small.join(', ')}.`,
  ]
}

/** Notes the numbers of questions that were not scored, by reason. Runs with the same numbers share a note. */
function noteLeftOut(runs: readonly NamedRun[]): string[] {
  const reasons = runs.flatMap(({ run: { summary }, name }) => {
    const counted = Object.entries(summary.leftOut).filter(([, count]) => count > 0)
    const reason = counted.map(([name, count]) => `${formatCount(count)} ${name}`).join(', ')
    return counted.length === 0 ? [] : [{ name, reason }]
  })
  const byReason = Map.groupBy(reasons, ({ reason }) => reason)
  return [...byReason].map(([reason, entries]) => {
    const who = entries.length === runs.length ? '' : ` (${entries.map(({ name }) => name).join(', ')})`
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
    `  machine    ${machine === null ? 'not noted' : describeMachine(machine)}`,
    ...Object.entries(config).map(([setting, value]) => `  ${setting}: ${JSON.stringify(value)}`),
  ].join('\n')
}

function describeMachine(machine: NonNullable<NamedRun['run']['summary']['machine']>): string {
  const { node, platform, arch, processors, keepsake, load } = machine
  const [before, after] = load
  return `Keepsake ${keepsake}, Node ${node}, ${platform} ${arch}, ${processors} processors, load ${before} before and ${after ?? 'unknown'} after`
}

/** Lists failures outside of questions, and remarks about the logs. */
export function failuresSection(runs: readonly NamedRun[]): Section[] {
  const failures = runs.flatMap(({ run, name }) =>
    (run.log?.failures ?? []).map(({ conversation, where, message }) => ({
      cells: [name, conversation, where, message].map((text) => ({ text })),
    })),
  )
  const remarks = runs.flatMap(({ run, name }) =>
    (run.log?.remarks ?? []).map((remark) => `${name}: ${remark}`),
  )
  const table: ReportTable = {
    kind: 'table',
    caption: 'Failures besides questions',
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

/** Explains how to read the figures. */
export function readingSection(): Section {
  const texts = [
    'Rates are over all items of all conversations. Below a value is its 95 % interval, by bootstrap over people or conversations and not over questions; n is the number of items. An arrow shows which direction is better.',
    'Verdicts of different judges are different measurements, so each judge has its own tables, as have figures without a judge. The deterministic judge compares words. Its figures cannot replace those of a language model or a paper.',
    'A failed call counts as a wrong answer and is never left out of a mean.',
    'The kept share is a mean over people, with equal weights. Under a capacity a policy never holds more memories.',
  ]
  return {
    id: 'reading',
    title: 'How to read this',
    blocks: texts.map((text) => ({ kind: 'paragraph', text })),
  }
}
