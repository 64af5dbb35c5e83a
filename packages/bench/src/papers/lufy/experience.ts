import { LUFY_DATASET } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { engagement, sentiment } from '../reproduce/judge-sessions.ts'

/** The same session under all three systems. */
const AVERAGE = 'The average leaves the first session out.'
const SESSIONS = ['S1', 'S2', 'S3', 'S4', 'Avg.'] as const

/** How people and models liked the talks. */
export const EXPERIENCE_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 7',
    title: 'How people rate each session’s personalisation, flow and the whole, 1 to 5',
    state: 'people',
    note: 'Third-party annotators read every session and rated it; the ratings were not published. Table 8 asks a model the like.',
    data: LUFY_DATASET,
    conditions: {
      judge: 'third-party annotators',
      more: [AVERAGE, 'A paired t-test marks what is better than both others (p < 0.05).'],
    },
    published: {
      unit: 'score',
      columns: ['Personalization', 'Flow of Conv.', 'Overall'].flatMap((what) =>
        SESSIONS.map((session) => `${what} ${session}`),
      ),
      rows: {
        'Naive RAG': [3.94, 3.85, 3.89, 3.76, 3.83, 3.86, 3.46, 3.57, 3.2, 3.41, 3.82, 3.65, 3.74, 3.5, 3.63],
        MemoryBank: [
          3.87, 3.95, 3.87, 3.56, 3.79, 3.69, 3.58, 3.64, 3.31, 3.51, 3.85, 3.75, 3.64, 3.36, 3.58,
        ],
        LUFY: [3.94, 4.13, 3.98, 4.04, 4.05, 3.78, 3.63, 3.57, 3.72, 3.64, 3.8, 3.81, 3.74, 3.8, 3.78],
      },
    },
  },
  {
    id: 'table 8',
    title: 'How engaging a model finds each session, 1 to 5',
    state: 'model',
    note: 'A language model reads every published session and rates it: name it with --judge.',
    data: LUFY_DATASET,
    conditions: { judge: 'GPT-4o, the mean of 30 ratings', more: [AVERAGE] },
    published: {
      unit: 'score',
      columns: SESSIONS,
      rows: {
        'Naive RAG': [3.71, 3.53, 3.38, 3.18, 3.36],
        MemoryBank: [3.71, 3.53, 3.44, 3.21, 3.39],
        LUFY: [3.71, 3.53, 3.32, 3.5, 3.45],
      },
    },
    reproduction: {
      needs: ['judge'],
      takes: [],
      differences: [
        'Each session is rated once, where the paper took the mean of thirty ratings; the prompt is our own.',
      ],
      measure: engagement,
    },
  },
  {
    id: 'table 9',
    title: 'How DistilRoBERTa was tuned for sentiment',
    state: 'shows',
    note: 'Settings of a training: rate 2e-5, batches of 8, Adam (0.9, 0.999, 1e-8), linear schedule, five epochs, seed 42.',
  },
  {
    id: 'table 10',
    title: 'The sentiment of what people said in each session, −1 to +1',
    state: 'model',
    note: 'A model says of every published utterance of a person whether it is positive, neutral or negative: name it with --judge.',
    data: LUFY_DATASET,
    conditions: {
      judge: 'DistilRoBERTa tuned on financial news, and TimeLMs tuned on tweets',
      more: [AVERAGE],
    },
    published: {
      unit: 'score',
      columns: SESSIONS,
      rows: {
        'Naive RAG': [0.58, 0.51, 0.38, 0.32, 0.4],
        MemoryBank: [0.58, 0.47, 0.34, 0.3, 0.38],
        LUFY: [0.58, 0.43, 0.45, 0.62, 0.5],
      },
    },
    reproduction: {
      needs: ['judge'],
      takes: [],
      differences: [
        'A language model sorts the utterances of a session at once, where the paper had two tuned classifiers, one utterance at a time.',
      ],
      measure: sentiment,
    },
  },
  {
    id: 'appendix E',
    title: 'How far the people who rated the talks agree with each other',
    state: 'people',
    note: 'Intraclass correlation of the ratings of Table 7, which were not published.',
    data: LUFY_DATASET,
    published: {
      unit: 'score',
      columns: ['ICC'],
      rows: { Personalization: [0.31], 'Flow of Conversation': [0.29], 'Overall Quality': [0.32] },
    },
  },
]
