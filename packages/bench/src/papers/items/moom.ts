// Declares how the tables of the MOOM paper are measured here. MOOM remembers plot and persona of role-playing talk, and forgets by competition.
import { openLocomoWithoutImages } from '../../datasets/open-dataset.ts'
import { findFigure } from '../../results/plain-figures.ts'
import type { SystemName } from '../../systems/open-system.ts'
import type { MeasuredFigure, Reproduction } from '../registry/paper.ts'
import { readPaper, type ReproductionSpec } from '../registry/read-paper.ts'
import {
  byRun,
  bySystemColumns,
  byVariants,
  cellsOf,
  summariseRuns,
  runSystems,
} from '../reproduce/by-run.ts'
import { byCounting, meanOf, sumOf, turnsOf } from '../reproduce/count-data.ts'
import { forgettingParameters, keptByCapacity } from '../reproduce/forgetting-on-locomo.ts'
import { makeFigure } from '../reproduce/measured-figure.ts'
import {
  BRANCHES,
  CAPACITY_VARIANTS,
  FIFTY,
  MERGING,
  moomSettings,
  ON_LOCOMO,
  PUBLISHED,
} from './moom-variants.ts'

/** The names of systems in the paper. */
const NAMES: Readonly<Partial<Record<string, string>>> = {
  moom: 'MOOM',
  mem0: 'Mem0',
  memochat: 'MemoChat',
  'memory-bank': 'MemoryBank',
}
/** Returns the paper's row of a system. */
const paperRowOf = (system: string): string | null => NAMES[system] ?? null
/** Returns the paper's row of a system with its largest model, which compares best with a hosted model. */
const largestModelRow = (system: string): string | null =>
  NAMES[system] === undefined ? null : `${NAMES[system]}-72B`

const LABEL_CELLS = [
  ...cellsOf('labels', 'share', {
    BERTScore: 'bertscore',
    M3E: 'cosine',
    'ROUGE-2': 'rouge2',
    'ROUGE-L': 'rougeL',
  }),
  ...cellsOf('labels', 'score', { MemScore: 'mem_score' }),
]
const LABEL_AND_PROBE_CELLS = [...LABEL_CELLS, ...cellsOf('probes', 'share', { 'QA precision': 'accuracy' })]

const LABELS_DIFFER = [
  'BERTScore is computed with an encoder that is named (--bertscore), and left out without one; the paper does not name its own.',
  'The column M3E is the cosine of the built-in embedder, or of the one that --likeness names.',
]
const LABEL_ROLES = ['model', 'judge', 'likeness', 'bertscore'] as const
const PROBE_ROLES = [...LABEL_ROLES, 'reader', 'reranking'] as const

/** The number of memories that a reply sees (MOOM, section 5.5). */
const MEMORIES = 9
/** The token budgets of the two columns of MOOM's Table 3. */
const TOKENS: Readonly<Record<string, number>> = { moom: 1_000, 'whole-context': 8_000 }

const ON_ZH_4O = { dataset: 'zh-4o', presets: { moom: PUBLISHED } } as const
const LABELS_AND_PROBES = { dataset: 'zh-4o', tasks: ['labels', 'probes'], memories: MEMORIES } as const

/** Measures MOOM's section 5.3: the time of ingesting the talks, as a multiple of MOOM's time. */
const timesRelativeToMoom: Reproduction['measure'] = async (request, context) => {
  const systems = Object.keys(NAMES) as SystemName[]
  const summaries = await runSystems({ ...ON_ZH_4O, tasks: ['labels'], systems }, request, context)
  const timeOf = (system: string): number | null => {
    const figures = summaries.find((summary) => summary.system === system)?.figures ?? []
    return findFigure(figures, 'cost', 'adding_ms')?.value ?? null
  }
  const moom = timeOf('moom')
  const figures = summaries.map(({ system: row, conversations }): MeasuredFigure => {
    const time = timeOf(row)
    const ratio = time === null || moom === null ? null : time / moom
    const place = { row, column: 'Time, MOOM = 1', paperRow: paperRowOf(row), unit: 'score' } as const
    return makeFigure(place, ratio, conversations ?? 0)
  })
  return { ...summariseRuns(summaries), figures }
}

/** Declares a figure of MOOM that can only be measured in a similar way. */
const approximate = (measure: Reproduction['measure']): ReproductionSpec => ({
  needs: [],
  takes: [],
  differences: [
    'LoCoMo’s talks instead of ZH-4O’s, and turns as they were said instead of memories that a model made.',
    'What is counted is whether the turns that answer a question are still kept, instead of how near memories come to what people marked.',
    'Capacity is a share of the mean talk, instead of 2k to 10k.',
    'What a turn finds is ranked by words and the built-in embedder, instead of a reranker.',
  ],
  measure,
})

export const MOOM = readPaper('moom', {
  'table 1': {
    needs: [],
    takes: PROBE_ROLES,
    choosesSystem: true,
    settings: moomSettings(),
    differences: LABELS_DIFFER,
    measure: byRun({
      ...ON_ZH_4O,
      tasks: ['labels', 'probes'],
      systems: ['moom'],
      cells: LABEL_AND_PROBE_CELLS,
      paperRow: largestModelRow,
      runOptions: () => ({ memories: MEMORIES }),
    }),
  },
  'table 2': {
    needs: [],
    takes: PROBE_ROLES,
    settings: moomSettings(),
    differences: LABELS_DIFFER,
    measure: byVariants({ ...LABELS_AND_PROBES, variants: BRANCHES, cells: LABEL_AND_PROBE_CELLS }),
  },
  'table 3': {
    needs: ['model', 'reader'],
    takes: ['reranking'],
    choosesSystem: true,
    settings: (row) => moomSettings({ contextTokens: TOKENS[row] ?? null })(row),
    differences: [
      'The probes are one’s own.',
      '“vanilla” is the system `whole-context`: the last 8,000 tokens of the talk, whatever the reader’s own window.',
    ],
    measure: bySystemColumns({
      ...ON_ZH_4O,
      tasks: ['probes'],
      columns: { moom: 'MOOM', 'whole-context': 'vanilla' },
      cell: { unit: 'share', task: 'probes', metric: 'accuracy' },
      row: 'reader',
      runOptions: (_, system) => ({ memories: MEMORIES, contextTokens: TOKENS[system ?? 'moom'] ?? 1_000 }),
    }),
  },
  'table 4': {
    needs: [],
    takes: [...LABEL_ROLES, 'reranking'],
    settings: (row) => moomSettings(row.endsWith(FIFTY) ? { retention: '50 memories' } : {})(row),
    differences: [
      ...LABELS_DIFFER,
      'Fifty memories are facts and summaries together; the paper does not say what it counts.',
      'Where a way to merge is left out, values stand beside each other; the paper does not say what becomes of them.',
    ],
    measure: byVariants({ dataset: 'zh-4o', tasks: ['labels'], variants: MERGING, cells: LABEL_CELLS }),
  },
  'table 5': {
    needs: [],
    takes: LABEL_ROLES,
    choosesSystem: true,
    settings: moomSettings({ snapshot: 'a session', round: null, images: 'left out' }),
    differences: [
      ...LABELS_DIFFER,
      'Both speakers are users and have a persona each; whose persona the paper drew, it does not say.',
    ],
    measure: byRun({
      dataset: 'locomo',
      tasks: ['labels'],
      systems: ['moom'],
      presets: { moom: ON_LOCOMO },
      open: openLocomoWithoutImages,
      cells: LABEL_CELLS.filter(({ column }) => column !== 'M3E'),
      paperRow: largestModelRow,
    }),
  },
  'table 6': {
    needs: ['model', 'reader', 'judge'],
    takes: ['reranking'],
    choosesSystem: true,
    settings: moomSettings({ retention: null, memoriesWanted: null }),
    differences: [
      'The thirty probes are our own, and so are the places where they are said.',
      'The reader has what was retrieved and nothing else; the paper adds “limited dialogue context”.',
    ],
    measure: byRun({
      ...ON_ZH_4O,
      tasks: ['probe-table'],
      systems: ['moom'],
      cells: cellsOf('probe-table', 'score', { Similarity: 'reply_score' }),
      paperRow: paperRowOf,
      runOptions: () => ({ memories: MEMORIES }),
    }),
  },
  'figure 3': approximate(keptByCapacity),
  'figure 6': approximate(forgettingParameters),
  'figure 7': {
    needs: [],
    takes: PROBE_ROLES,
    settings: (row) =>
      moomSettings({ retention: row === 'without a limit' ? 'nothing forgotten' : null })(`moom ${row}`),
    differences: [
      ...LABELS_DIFFER,
      'The paper does not name the unit of its capacity; here it is characters of facts and summaries.',
      'The talks have no times: turns are put a minute apart, and the Ebbinghaus curve counts by that.',
      'Other systems are not among the rows; `--table 1 --system` measures them.',
    ],
    measure: byVariants({ ...LABELS_AND_PROBES, variants: CAPACITY_VARIANTS, cells: LABEL_AND_PROBE_CELLS }),
  },
  'section 4': {
    needs: [],
    takes: [],
    differences: ['A turn is what one of the two said; the paper does not say whether it counts rounds.'],
    measure: byCounting({
      dataset: 'zh-4o',
      row: 'the files',
      paperRow: 'ZH-4O',
      counts: [
        { column: 'Talks', count: (all) => all.length },
        { column: 'Avg. Turns', count: (all) => meanOf(all, (one) => turnsOf(one).length) },
        {
          column: 'Memory annotations',
          count: (all) => sumOf(all, ({ sessions }) => sessions.flatMap(({ gold }) => gold ?? []).length),
        },
        { column: 'Probes', count: (all) => sumOf(all, ({ questions }) => questions.length) },
      ],
    }),
  },
  'section 5.3': {
    needs: ['model'],
    takes: [],
    choosesSystem: true,
    settings: moomSettings({ retention: null }),
    differences: [
      'Another machine and another model; the whole of each talk is timed, where the paper timed twenty rounds.',
    ],
    measure: timesRelativeToMoom,
  },
})
