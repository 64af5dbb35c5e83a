import { LUFY_DATASET } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { cosineBins, cosineThresholds } from '../reproduce/cosine-on-lufy.ts'
import { topOnLufy } from '../reproduce/top-k-on-lufy.ts'

const BY_WORDS =
  'Which memories answer a question is decided by the answer’s words, which accepts more than a person would; in the paper a person decided.'
const PAIRS_ALONE = 'Memories are utterance pairs; the paper’s had summaries of sessions among them.'

/** Whether the right memory is found. */
export const RETRIEVAL_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 15',
    title: 'How often the right memory is among the first one to ten that are found',
    state: 'deterministic',
    note: 'Questions are put to a store that forgets nothing and ranks by cosine; --embedding names the paper’s embedder or another.',
    data: LUFY_DATASET,
    conditions: {
      embedding: 'text-embedding-ada-002',
      more: ['495 of the 510 questions: those that one memory answers.'],
    },
    published: {
      unit: 'percent',
      columns: ['Ratio'],
      rows: {
        'Top 1': [52.5],
        'Top 2': [61.8],
        'Top 3': [71.6],
        'Top 4': [79.9],
        'Top 5': [84.8],
        'Top 6': [85.6],
        'Top 7': [88.2],
        'Top 8': [88.2],
        'Top 9': [90.6],
        'Top 10': [91.2],
        '(Not in Top 10)': [8.8],
      },
    },
    headline: [1, 2, 5, 10].map((k) => [`Top ${k}`, 'Ratio'] as const),
    reproduction: {
      needs: [],
      takes: ['embedding'],
      choosesSystem: true,
      differences: [
        BY_WORDS,
        PAIRS_ALONE,
        'Questions whose answer’s words stand in no utterance pair are left out, and the shared first session’s are asked once.',
      ],
      measure: topOnLufy,
    },
  },
  {
    id: 'figure 10',
    title: 'Right and wrong memories among the ten nearest to a question, by cosine',
    state: 'deterministic',
    note: 'Drawn in the paper. In its text: below a cosine of 0.75 no memory was right, and the nearer the more often right.',
    data: LUFY_DATASET,
    conditions: { embedding: 'text-embedding-ada-002' },
    reproduction: {
      needs: [],
      takes: ['embedding'],
      differences: [BY_WORDS, PAIRS_ALONE],
      measure: cosineBins,
    },
  },
  {
    id: 'figure 11',
    title: 'Precision, recall and F1 of what is found above each threshold of cosine',
    state: 'deterministic',
    note: 'Drawn in the paper. In its text: F1 stays the same from 0.75 to 0.8 and falls beyond.',
    data: LUFY_DATASET,
    conditions: { embedding: 'text-embedding-ada-002' },
    reproduction: {
      needs: [],
      takes: ['embedding'],
      differences: [BY_WORDS, PAIRS_ALONE],
      measure: cosineThresholds,
    },
  },
]
