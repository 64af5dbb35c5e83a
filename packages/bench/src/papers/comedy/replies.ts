import { DOLPHIN } from '../registry/data-sources.ts'
import type { PaperItem, Reproduction } from '../registry/paper.ts'
import { rankedOnDolphin, scoredOnDolphin } from '../reproduce/comedy-on-dolphin.ts'

const TEXT2VEC = 'Text2vec, for the retrieval baselines'
const WHOLE_SESSION = { turns: 'each of the whole session' } as const
const judged = (measure: Reproduction['measure']): Reproduction => ({
  needs: ['model', 'judge'],
  takes: ['embedding'],
  differences: [
    'A model judges in the place of people: its figures are no person’s.',
    'The paper’s prompts have the user’s and the character’s names and ask for steps, at temperature 0.5; here they are our own, at the model’s temperature.',
    'One language model writes for every system, none of them tuned; the paper’s systems differ in their models too.',
  ],
  measure,
})

const DIMENSIONS = ['Coherence', 'Consistency', 'Memorability', 'Engagingness', 'Humanness'] as const

export const REPLY_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 3',
    title: 'How people score replies in five respects, 0 to 3',
    state: 'people',
    note: 'Three annotators scored each reply; neither Dolphin nor their scores were published. A model judges the same five respects (--model, --judge), on a file of one’s own.',
    data: DOLPHIN,
    conditions: {
      judge: 'three annotators',
      embedding: TEXT2VEC,
      settings: WHOLE_SESSION,
      more: [
        'Retrieval hands over the three nearest memories; context is cut at 2,000 (LLaMA) or 8,000 tokens (ChatGPT).',
      ],
    },
    published: {
      unit: 'score',
      columns: [...DIMENSIONS, 'Average'],
      rows: {
        'Context-only: LLaMA 2-7B': [1.01, 0.5, 0.11, 0.31, 1.71, 0.73],
        'Context-only: LLaMA 2-13B': [0.93, 0.66, 0.19, 0.37, 1.76, 0.78],
        'Context-only: ChatGPT (8k token)': [1.3, 0.89, 0.49, 0.29, 1.54, 0.9],
        'Retrieval: ChatGPT': [1.22, 0.86, 0.37, 0.43, 1.51, 0.88],
        'Retrieval: LLaMA 2-13B': [1.73, 0.98, 0.51, 0.24, 1.85, 1.06],
        'Retrieval: LLaMA 2-7B': [1.7, 0.94, 0.54, 0.31, 1.91, 1.08],
        'Retrieval: GPT4': [1.91, 0.94, 0.6, 0.52, 1.69, 1.13],
        'MemoryBank-ChatGPT': [1.25, 0.94, 0.42, 0.45, 1.52, 0.92],
        'Resum-ChatGPT': [1.31, 0.97, 0.47, 0.44, 1.49, 0.93],
        'COMEDY-ChatGPT': [1.19, 1.07, 0.6, 0.46, 1.62, 0.99],
        'COMEDY-7B': [1.67, 1.11, 0.6, 0.39, 1.85, 1.12],
        'COMEDY-13B': [1.81, 1.07, 0.7, 0.51, 1.94, 1.21],
        'COMEDY-13B DPO': [1.79, 1.2, 0.8, 0.46, 2.09, 1.27],
        'COMEDY-GPT4': [1.96, 1.14, 0.7, 0.73, 1.85, 1.28],
      },
    },
    reproduction: judged(scoredOnDolphin),
  },
  {
    id: 'table 4',
    title: 'How often people rank a system’s reply first or among the first three',
    state: 'people',
    note: 'Three other annotators ranked the replies; neither Dolphin nor their ranks were published. A model ranks them (--model, --judge), on a file of one’s own.',
    data: DOLPHIN,
    conditions: {
      judge: 'three annotators',
      embedding: TEXT2VEC,
      settings: WHOLE_SESSION,
      more: ['Replies may share a rank.'],
    },
    published: {
      unit: 'percent',
      columns: ['Top@1', 'Top@3', 'Avg.R'],
      unitOf: { 'Avg.R': 'score' },
      rows: {
        'Context-only: LLaMA 2-7B': [4.72, 29.13, 3.89],
        'Context-only: LLaMA 2-13B': [4.72, 33.86, 3.69],
        'Context-only: ChatGPT (8k token)': [7.92, 38.76, 3.52],
        'Retrieval: ChatGPT': [6.91, 43.45, 3.5],
        'Retrieval: LLaMA 2-13B': [12.73, 66.36, 2.76],
        'Retrieval: LLaMA 2-7B': [14.7, 66.93, 2.73],
        'Retrieval: GPT4': [22.83, 70.87, 2.63],
        'MemoryBank-ChatGPT': [7.83, 44.32, 3.45],
        'Resum-ChatGPT': [8.21, 43.01, 3.32],
        'COMEDY-ChatGPT': [9.45, 48.03, 3.26],
        'COMEDY-7B': [24.41, 72.44, 2.59],
        'COMEDY-13B': [26.77, 73.23, 2.5],
        'COMEDY-13B DPO': [29.82, 54.33, 2.41],
        'COMEDY-GPT4': [29, 60.63, 2.26],
      },
    },
    reproduction: judged(rankedOnDolphin),
  },
  {
    id: 'table 5',
    title: 'How far annotators agree on who is first and among the first three',
    state: 'people',
    note: 'Pearson’s correlation of three annotators’ ranks. Missing: their ranks, which were not published, and three people; verdicts of one model say nothing of it.',
    data: DOLPHIN,
    published: {
      unit: 'score',
      columns: ['Annotator 1 & 2', 'Annotator 1 & 3', 'Annotator 2 & 3'],
      rows: { 'Top-1': [0.92, 0.9, 0.91], 'Top-3': [0.88, 0.86, 0.89] },
    },
  },
  {
    id: 'figure 3',
    title: 'Replies of a model trained on all three tasks, and on replies alone',
    state: 'people',
    note: 'Drawn in the paper, without figures in the text: the mixed one is better. It needs Dolphin, a training and people.',
    data: DOLPHIN,
    conditions: { model: 'LLaMA 2 (Chinese), tuned', judge: 'annotators' },
  },
  {
    id: 'figure 4',
    title: 'Dispreferred replies written to contradict the memory, and drawn at random',
    state: 'people',
    note: 'Drawn in the paper, without figures in the text: those written are better, most in memorability and humanness. (Its caption speaks of the training pipeline.) It needs Dolphin, a training and people.',
    data: DOLPHIN,
    conditions: { model: 'LLaMA 2 (Chinese) 13B, tuned by preferences (β 0.1)', judge: 'annotators' },
  },
]
