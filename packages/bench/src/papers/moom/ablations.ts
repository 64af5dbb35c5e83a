import { ZH_4O } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { byVariants } from '../reproduce/by-variants.ts'
import { LABEL_AND_PROBE_CELLS, LABEL_CELLS, LABEL_ROLES, LABELS_DIFFER, PROBE_ROLES } from './extraction.ts'
import { LABEL_COLUMNS } from './published.ts'
import { BRANCHES, FIFTY, MERGING, moomSettings } from './variants.ts'

const CONDITIONS = {
  model: 'MOOM-7B: a tuned Qwen2-7B for the persona, Qwen1.5-14B for the plot',
  judge: 'Qwen2.5-72B, for MemScore',
  settings: moomSettings(),
} as const

export const ABLATION_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 2',
    title: 'The plot alone, the persona alone, and both',
    state: 'model',
    note: 'As Table 1, with one of the branches left out: a language model for the system (--model) and one that judges (--judge). Without them everything is by rule.',
    data: ZH_4O,
    conditions: CONDITIONS,
    published: {
      unit: 'share',
      columns: [...LABEL_COLUMNS, 'QA precision'],
      unitOf: { MemScore: 'score' },
      rows: {
        'NSB Only': [0.7729, 0.8569, 0.0535, 0.1058, 2.603, 0.693],
        'PCB Only': [0.7898, 0.9021, 0.2376, 0.4224, 2.468, 0.752],
        MOOM: [0.8018, 0.9017, 0.2806, 0.4834, 3.17, 0.832],
      },
    },
    reproduction: {
      needs: [],
      takes: PROBE_ROLES,
      differences: LABELS_DIFFER,
      measure: byVariants({
        dataset: 'zh-4o',
        tasks: ['labels', 'probes'],
        variants: BRANCHES,
        cells: LABEL_AND_PROBE_CELLS,
        memories: 9,
      }),
    },
  },
  {
    id: 'table 4',
    title:
      'Persona merged by rules alone, by embedding too, by a model too; without a limit and with fifty memories',
    state: 'model',
    note: 'A language model for the system (--model) and one that judges (--judge). Without them everything is by rule, and the third row is the second.',
    data: ZH_4O,
    conditions: {
      ...CONDITIONS,
      settings: (row) => moomSettings(row.endsWith(FIFTY) ? { retention: '50 memories' } : {})(row),
      more: ['“†”: at most fifty memories.'],
    },
    published: {
      unit: 'share',
      columns: LABEL_COLUMNS,
      unitOf: { MemScore: 'score' },
      rows: {
        'Rule-Based Only': [0.7989, 0.8992, 0.2701, 0.4694, 2.843],
        '+Embedding-Based': [0.8015, 0.9004, 0.2787, 0.4782, 3.172],
        '+LLM-Based': [0.8018, 0.9017, 0.2806, 0.4834, 3.17],
        'Rule-Based Only†': [0.7107, 0.8747, 0.1301, 0.3342, 1.189],
        '+Embedding-Based†': [0.7214, 0.8745, 0.1325, 0.3491, 1.205],
        '+LLM-Based†': [0.747, 0.8787, 0.1621, 0.3543, 1.405],
      },
    },
    reproduction: {
      needs: [],
      takes: [...LABEL_ROLES, 'reranking'],
      differences: [
        ...LABELS_DIFFER,
        'Fifty memories are facts and summaries together; the paper does not say what it counts.',
        'Where a way to merge is left out, values stand beside each other; the paper does not say what becomes of them.',
      ],
      measure: byVariants({ dataset: 'zh-4o', tasks: ['labels'], variants: MERGING, cells: LABEL_CELLS }),
    },
  },
]
