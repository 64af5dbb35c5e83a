import { splitWords } from '../../metrics/text/split-words.ts'
import { LUFY_DATASET, CANDOR } from '../registry/data-sources.ts'
import type { Conditions, PaperItem } from '../registry/paper.ts'
import { byCounting, meanOf, turnsOf } from '../reproduce/count-data.ts'
import { agreementBySession, retainedBySession } from '../reproduce/retention-on-lufy.ts'

const SESSIONS = ['S1', 'S2', 'S3', 'S4'] as const

/** How the talks are put to the policies. */
const TALKS_DIFFER = [
  'The talk that was had with one system is put to every policy in turn; in the paper each system kept and forgot its own talk.',
  'Summaries of sessions are not among the memories: utterance pairs alone are kept and let go.',
] as const

/** Deviations of what is kept from the paper, and of how it is counted. */
export const FORGETTING_DIFFERS = [
  ...TALKS_DIFFER,
  'The metrics are scaled as in the authors’ published code: one mean, counts unbounded. The paper’s text gives them one range too: the row lufy-range.',
  'Importance is rated without a key summary, for the exchange alone.',
  'At a session’s end all that stands is compared with the marks of all sessions so far; the paper compares session by session.',
]

/** What measures the metrics of Tables 12 and 14. */
export const MEASURED_BY: Conditions = {
  model: 'a language model that the paper does not name, for importance (L)',
  arousal: 'RoBERTa fine-tuned on EmoBank',
  surprise: 'GPT-2-large, capped at 160',
  embedding: 'text-embedding-ada-002',
}

export const MEMORY_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 1',
    title: 'How long the talks of LUFY-Dataset are, beside other data sets of talk',
    state: 'deterministic',
    note: 'Turns and words of its own row are counted in the data; the other data sets’ rows are quoted.',
    data: LUFY_DATASET,
    published: {
      unit: 'count',
      columns: ['Avg. Turns', 'Avg. Words'],
      rows: {
        'Daily Dialog': [7.9, 115.3],
        SODA: [7.6, 122.4],
        CareCall: [104.5, 515.2],
        'Conversation Chronicles': [58.5, 1054.8],
        MSC: [53.3, 1225.9],
        'LUFY-Dataset (Ours)': [253.8, 5538.5],
      },
    },
    reproduction: {
      needs: [],
      takes: [],
      differences: [
        'A conversation is a person’s four sessions with one system; the first of them is the same for all three and counts in each.',
        'Words are what lies between spaces and marks, lower-cased; the paper does not say how it cut them.',
      ],
      measure: byCounting({
        dataset: 'lufy',
        row: 'LUFY-Dataset, counted',
        beside: 'LUFY-Dataset (Ours)',
        counts: [
          { column: 'Avg. Turns', of: (all) => meanOf(all, (one) => turnsOf(one).length) },
          { column: 'Avg. Words', of: (all) => meanOf(all, wordsOf) },
        ],
        sizeOf: (all) => new Set(all.map(({ person }) => person)).size,
      }),
    },
  },
  {
    id: 'table 2',
    title: 'The weights of arousal, surprise, importance and the two counts of retrieval',
    state: 'data',
    note: 'The paper fitted them on 300 utterance pairs of CANDOR and 200 of people with a chatbot; neither the marks nor the 200 pairs were published. They ship here as the preset’s weights; `keepsake train fit-importance` fits others on marks of one’s own.',
    data: CANDOR,
    conditions: {
      more: [
        'Levenberg–Marquardt on the L2-regularised squared loss of exp(−1/S), three weights first, then the two counts.',
        'Fleiss’ kappa of the three annotators: 0.42 on both sets.',
      ],
    },
    published: {
      unit: 'score',
      columns: ['Weight'],
      rows: {
        Arousal: [2.76],
        Perplexity: [-0.28],
        'LLM Estimated Importance': [0.44],
        'Most Relevant Memory Count': [1.02],
        '2nd Most Relevant Memory Count': [-0.012],
      },
    },
  },
  {
    id: 'table 3',
    title: 'How many memories stand after each session, and what share of all that were made',
    state: 'deterministic',
    note: 'Every policy of `keepsake bench forgetting` goes through the talks; what stands at each session’s end is counted.',
    data: LUFY_DATASET,
    published: {
      unit: 'count',
      columns: SESSIONS.flatMap((session) => [`${session} kept`, `${session} share`]),
      unitOf: Object.fromEntries(SESSIONS.map((session) => [`${session} share`, 'percent'])),
      rows: {
        'Naive RAG': [28.5, 100, 63.2, 100, 97.9, 100, 131.2, 100],
        MemoryBank: [2.8, 9.9, 6.4, 9.88, 9.8, 9.91, 13.5, 9.99],
        LUFY: [2.8, 9.9, 6.1, 9.88, 9.7, 9.93, 12.8, 10.07],
      },
    },
    headline: [
      ['Naive RAG', 'S4 kept'],
      ['MemoryBank', 'S4 kept'],
      ['LUFY', 'S4 kept'],
    ],
    reproduction: {
      needs: [],
      takes: [],
      differences: TALKS_DIFFER,
      measure: retainedBySession,
    },
  },
  {
    id: 'table 12',
    title: 'How often what a system keeps was marked as important by an annotator',
    state: 'deterministic',
    note: 'Every policy goes through the talks; of what it keeps, the share that each of three annotators marked is counted, and how far annotators agree with each other.',
    data: LUFY_DATASET,
    conditions: {
      ...MEASURED_BY,
      more: ['Fleiss’ kappa of the annotators: 0.35.'],
    },
    published: {
      unit: 'percent',
      columns: [...SESSIONS, 'Avg.'],
      rows: {
        MemoryBank: [19.4, 8.8, 14.3, 15.3, 14.4],
        LUFY: [19.4, 16.3, 24.4, 10.1, 17.6],
        '(Random)': [13.1, 10, 10.6, 11.1, 11.2],
        '(Annotators)': [18.3, 26.1, 23.5, 24.2, 23],
      },
    },
    headline: ['LUFY', 'MemoryBank', '(Random)', '(Annotators)'].map((row) => [row, 'Avg.'] as const),
    reproduction: {
      needs: [],
      takes: ['model', 'embedding', 'arousal', 'surprise'],
      differences: FORGETTING_DIFFERS,
      measure: agreementBySession,
    },
  },
]

function wordsOf(conversation: Parameters<typeof turnsOf>[0]): number {
  return turnsOf(conversation).reduce(
    (sum, { text }) => sum + splitWords(text, { language: 'en', unit: 'words' }).length,
    0,
  )
}
