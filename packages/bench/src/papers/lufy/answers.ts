import { LUFY_DATASET } from '../registry/data-sources.ts'
import type { Conditions, PaperItem, Reproduction } from '../registry/paper.ts'
import { answersByQuestions, answersBySession } from '../reproduce/answers-on-lufy.ts'

const SESSIONS = ['S1', 'S2', 'S3', 'S4', 'Avg.'] as const
const METRICS = ['Precision', 'Recall', 'F1 Score'] as const

/** The conditions of Tables 11, 13 and 16 to 18. */
export const ANSWERING: Conditions = {
  model: 'a language model that the paper does not name',
  reader: 'the chatbot itself',
  judge: 'GPT-4o; an answer that is right in part counts as right',
  embedding: 'text-embedding-ada-002',
  settings: (row) => ({
    retention: row === 'naive-rag' ? 'nothing forgotten' : '10 % after each session',
    protocol: 'LUFY’s',
    memoriesWanted: null,
    contextTokens: null,
    reranking: 'nothing',
    ownAnswers: 'the system',
  }),
  more: [
    'After each session, and after it was forgotten, all questions so far are asked.',
    'One memory is used and a second counted, cosine at least 0.8; a reply is given the key summary, five utterances and one memory.',
  ],
}

/** A session, and the session that its questions are about. */
const ASKED = ['S1 Q1', 'S2 Q1', 'S2 Q2', 'S3 Q1', 'S3 Q2', 'S3 Q3', 'S4 Q1', 'S4 Q2', 'S4 Q3', 'S4 Q4']

const NOTE =
  'The systems talk, reply and forget with a language model (--model), one answers (--reader) and one judges (--judge). Without any, rules do all three: other systems than the paper’s.'

export const reproducedBy = (measure: Reproduction['measure'], choosesSystem = false): Reproduction => ({
  needs: [],
  takes: ['model', 'reader', 'judge', 'embedding'],
  choosesSystem,
  differences: [
    'An answer is read from what is recalled, by one reader for all systems; in the paper each chatbot replies.',
  ],
  measure,
})

const byQuestions = (
  id: string,
  metric: (typeof METRICS)[number],
  rows: Readonly<Record<string, readonly number[]>>,
): PaperItem => ({
  id,
  title: `${metric} of the answers, by session and by what they are about`,
  state: 'model',
  note: NOTE,
  data: LUFY_DATASET,
  conditions: ANSWERING,
  published: { unit: 'percent', columns: ASKED, rows },
  reproduction: reproducedBy(answersByQuestions(metric), true),
})

/** Whether what people asked about is still known. */
export const ANSWER_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 11',
    title:
      'Precision, recall and F1 of the answers to people’s own questions, after nine tenths were forgotten',
    state: 'model',
    note: NOTE,
    data: LUFY_DATASET,
    conditions: ANSWERING,
    reproduction: reproducedBy(answersBySession, true),
    published: {
      unit: 'percent',
      columns: METRICS.flatMap((metric) => SESSIONS.map((session) => `${metric} ${session}`)),
      rows: {
        'Naive RAG': [75.6, 69.6, 74.2, 69.9, 72.3, 60.8, 51, 51.6, 46.6, 52.5, 67.4, 58.9, 60.9, 55.9, 60.8],
        MemoryBank: [63.6, 50.7, 57.4, 64.6, 59.1, 41.2, 29.4, 30.7, 31.9, 33.3, 50, 37.2, 40, 42.7, 42.5],
        LUFY: [80, 86.9, 86.8, 86.6, 85.1, 54.9, 51, 38.6, 35.3, 44.9, 65.1, 64.3, 53.4, 50.2, 58.3],
      },
    },
  },
  byQuestions('table 16', 'Precision', {
    'Naive RAG': [75.6, 68.2, 71, 64.3, 61.3, 97.1, 62.5, 62.1, 91.7, 63.3],
    MemoryBank: [63.6, 56.7, 44.8, 60, 40.9, 71.4, 63.3, 43.5, 63.6, 88],
    LUFY: [80, 81.3, 92.6, 82.8, 77.8, 100, 82.1, 88.9, 83.3, 92],
  }),
  byQuestions('table 17', 'Recall', {
    'Naive RAG': [60.8, 58.8, 43.1, 52.9, 37.3, 64.7, 49, 35.3, 64.7, 37.3],
    MemoryBank: [41.2, 33.3, 25.5, 35.3, 17.6, 39.2, 37.3, 19.6, 27.5, 43.1],
    LUFY: [54.9, 53, 49, 47.1, 27.5, 41.2, 45.1, 31.4, 19.6, 45.1],
  }),
  byQuestions('table 18', 'F1 Score', {
    'Naive RAG': [67.4, 63.2, 53.6, 58, 46.4, 77.7, 54.9, 45, 75.9, 46.9],
    MemoryBank: [50, 42, 32.5, 44.4, 24.6, 50.6, 46.9, 27, 38.4, 57.9],
    LUFY: [65.1, 64.2, 64.1, 60, 40.6, 58.4, 58.2, 46.4, 31.7, 60.5],
  }),
]
