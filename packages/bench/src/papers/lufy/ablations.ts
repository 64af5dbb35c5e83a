import { LUFY_DATASET } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { agreementWithout } from '../reproduce/retention-on-lufy.ts'
import { FORGETTING_DIFFERS } from './memories.ts'

const SESSIONS = ['S1', 'S2', 'S3', 'S4', 'Avg.'] as const
const METRICS = ['Precision', 'Recall', 'F1 Score'] as const

/** What each of the five weights does. */
export const ABLATION_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 13',
    title: 'Precision, recall and F1 of the answers with one of the five weights set to nought',
    state: 'model',
    note: 'As Table 11, with a weight less: a language model for the systems (--model), one for the verdicts (--judge).',
    data: LUFY_DATASET,
    conditions: { model: 'a language model that the paper does not name', judge: 'GPT-4o' },
    published: {
      unit: 'percent',
      columns: METRICS.flatMap((metric) => SESSIONS.map((session) => `${metric} ${session}`)),
      rows: {
        LUFY: [80, 86.9, 86.8, 86.6, 85.1, 54.9, 51, 38.6, 35.3, 45, 65.1, 64.3, 53.4, 50.2, 58.3],
        '–A': [64.3, 84.3, 81.4, 82.2, 78.1, 37.3, 52, 33.4, 32.9, 38.9, 47.2, 64.3, 47.4, 47, 51.5],
        '–P': [79, 84.3, 77.3, 80.2, 80.2, 45.1, 45.1, 32.1, 29.4, 38, 57.4, 58.8, 45.4, 43, 51.7],
        '–L': [74.8, 83.8, 83.2, 77.1, 79.7, 49, 44.1, 32.8, 28.9, 38.7, 59.2, 57.8, 47.1, 42, 51.5],
        '–R1': [68.6, 82, 82.3, 87, 80, 47.1, 47.1, 38, 38.7, 42.7, 55.9, 59.8, 52, 53.6, 55.3],
        '–R2': [80, 86.9, 86.8, 86.6, 85.1, 54.9, 51, 38.6, 35.3, 45, 65.1, 64.3, 53.4, 50.2, 58.3],
      },
    },
  },
  {
    id: 'table 14',
    title: 'How often what is kept was marked as important, with one of the five weights set to nought',
    state: 'deterministic',
    note: 'As Table 12, with a weight less.',
    data: LUFY_DATASET,
    conditions: { model: 'a language model that the paper does not name, for importance (L)' },
    published: {
      unit: 'percent',
      columns: SESSIONS,
      rows: {
        LUFY: [20.9, 12.4, 11.8, 14.4, 14.9],
        '–A': [21.5, 11.8, 9.1, 14.4, 14.2],
        '–P': [23.5, 11.8, 10.4, 13.7, 14.9],
        '–L': [20.2, 11.8, 9.8, 15, 14.2],
        '–R1': [21.5, 10.4, 11.1, 13.7, 14.2],
        '–R2': [20.9, 12.4, 11.8, 14.4, 14.9],
      },
    },
    headline: ['LUFY', '–A', '–L', '–R1'].map((row) => [row, 'Avg.'] as const),
    reproduction: {
      needs: [],
      takes: [],
      differences: FORGETTING_DIFFERS,
      measure: agreementWithout,
    },
  },
]
