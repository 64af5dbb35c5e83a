import { LOCOMO, ZH_4O } from '../registry/data-sources.ts'
import type { Conditions, PaperItem } from '../registry/paper.ts'
import { byRun, type RunCell } from '../reproduce/by-run.ts'
import { byCounting, meanOf, sumOf, turnsOf } from '../reproduce/count-data.ts'
import { timesBesideMoom } from './times-beside-moom.ts'
import { openLocomoWithoutImages } from '../../datasets/open-dataset.ts'
import { TABLE_1, TABLE_5 } from './published.ts'
import { moomSettings, ON_LOCOMO, PUBLISHED } from './variants.ts'

const CONDITIONS: Conditions = {
  model: 'Qwen1.5-14B, Qwen2.5-32B and Qwen2.5-72B; a tuned Qwen2-7B for the persona',
  judge: 'Qwen2.5-72B, for MemScore',
  embedding: 'BERTScore, M3E',
  more: ['The mean of three runs.'],
}

export const LABEL_CELLS: readonly RunCell[] = [
  { column: 'BERTScore', unit: 'share', task: 'labels', metric: 'bertscore' },
  { column: 'M3E', unit: 'share', task: 'labels', metric: 'cosine' },
  { column: 'ROUGE-2', unit: 'share', task: 'labels', metric: 'rouge2' },
  { column: 'ROUGE-L', unit: 'share', task: 'labels', metric: 'rougeL' },
  { column: 'MemScore', unit: 'score', task: 'labels', metric: 'mem_score' },
]

export const LABEL_AND_PROBE_CELLS: readonly RunCell[] = [
  ...LABEL_CELLS,
  { column: 'QA precision', unit: 'share', task: 'probes', metric: 'accuracy' },
]

export const LABELS_DIFFER = [
  'BERTScore is computed with an encoder that is named (--bertscore), and left out without one; the paper does not name its own.',
  'The column M3E is the cosine of the built-in embedder, or of the one that --likeness names.',
]
export const LABEL_ROLES = ['model', 'judge', 'likeness', 'bertscore'] as const
export const PROBE_ROLES = [...LABEL_ROLES, 'reader', 'reranking'] as const

export const WITH_MODEL =
  'As in the paper with a language model for the system (--model) and one that judges (--judge). Without them the persona is drawn by rules, the plot by sentences picked out, and MemScore by words.'

/** Extracted memories, compared with people's labels. */
export const EXTRACTION_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 1',
    title:
      'How near the memories of four systems come to what people marked, and how many probes they answer',
    state: 'model',
    note: `${WITH_MODEL} The probes were not published: the column “QA precision” is filled where the talks have a field \`probes\`.`,
    data: ZH_4O,
    conditions: { ...CONDITIONS, settings: moomSettings() },
    published: TABLE_1,
    reproduction: {
      needs: [],
      takes: PROBE_ROLES,
      choosesSystem: true,
      differences: LABELS_DIFFER,
      measure: byRun({
        dataset: 'zh-4o',
        tasks: ['labels', 'probes'],
        systems: ['moom'],
        presets: { moom: PUBLISHED },
        cells: LABEL_AND_PROBE_CELLS,
        beside: besideSystem,
        more: () => ({ memories: 9 }),
      }),
    },
  },
  {
    id: 'table 5',
    title: 'The same on LoCoMo, held against its observations and event summaries',
    state: 'model',
    note: WITH_MODEL,
    data: LOCOMO,
    conditions: {
      ...CONDITIONS,
      model: 'Qwen1.5-14B and Qwen2.5-72B',
      more: ['Prompts in English.'],
      settings: moomSettings({ snapshot: 'a session', round: null, images: 'left out' }),
    },
    published: TABLE_5,
    reproduction: {
      needs: [],
      takes: LABEL_ROLES,
      choosesSystem: true,
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
        cells: LABEL_CELLS.filter(({ column }) => TABLE_5.columns.includes(column)),
        beside: besideSystem,
      }),
    },
  },
  {
    id: 'section 4',
    title: 'How many talks, turns and marked memories ZH-4O has',
    state: 'deterministic',
    note: 'Counted in its files. The 1,068 multiple-choice probes are not among them.',
    data: ZH_4O,
    published: {
      unit: 'count',
      columns: ['Talks', 'Avg. Turns', 'Memory annotations', 'Probes'],
      rows: { 'ZH-4O': [28, 600, 1115, 1068] },
    },
    reproduction: {
      needs: [],
      takes: [],
      differences: ['A turn is what one of the two said; the paper does not say whether it counts rounds.'],
      measure: byCounting({
        dataset: 'zh-4o',
        row: 'the files',
        beside: 'ZH-4O',
        counts: [
          { column: 'Talks', of: (all) => all.length },
          { column: 'Avg. Turns', of: (all) => meanOf(all, (one) => turnsOf(one).length) },
          {
            column: 'Memory annotations',
            of: (all) => sumOf(all, ({ sessions }) => sessions.flatMap(({ gold }) => gold ?? []).length),
          },
          { column: 'Probes', of: (all) => sumOf(all, ({ questions }) => questions.length) },
        ],
      }),
    },
  },
  {
    id: 'section 5.3',
    title: 'How long the four systems take beside each other',
    state: 'model',
    note: 'Twenty rounds took a 7B model about eight seconds on one H800. A language model for the systems (--model). Answers that a folder of runs already has take no time: name an empty one (--runs).',
    data: ZH_4O,
    conditions: { model: 'the same for all four', settings: moomSettings({ retention: null }) },
    published: {
      unit: 'score',
      columns: ['Time, MOOM = 1'],
      rows: { MOOM: [1], Mem0: [2.5], MemoChat: [3], MemoryBank: [1.5] },
    },
    reproduction: {
      needs: ['model'],
      takes: [],
      choosesSystem: true,
      differences: [
        'Another machine and another model; the whole of each talk is timed, where the paper timed twenty rounds.',
      ],
      measure: timesBesideMoom,
    },
  },
]

/** The paper's 72B rows compare with a capable model. */
export function besideSystem(system: string): string | null {
  const rows: Readonly<Record<string, string>> = {
    moom: 'MOOM-72B',
    mem0: 'Mem0-72B',
    memochat: 'MemoChat-72B',
    'memory-bank': 'MemoryBank-72B',
  }
  return rows[system] ?? null
}
