import { DOLPHIN } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { writtenOnDolphin } from '../reproduce/comedy-on-dolphin.ts'
import { countDolphin } from '../reproduce/count-dolphin.ts'

const TASKS = [
  'Train Task 1',
  'Train Task 2',
  'Train Task 3',
  'Test Task 1',
  'Test Task 2',
  'Test Task 3',
] as const

/** What the data set holds, and how near its references the model comes. */
export const DATA_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 1',
    title: 'How many characters, sessions and turns Dolphin has, by task',
    state: 'data',
    note: 'Dolphin was not published with the paper or its code. A file of one’s own in its form is counted as test episodes.',
    data: DOLPHIN,
    published: {
      unit: 'count',
      columns: TASKS,
      rows: {
        'Avg. Turns Per Session': [13, null, 13.9, 19.5, null, 10],
        'Avg. sentences Per Session-level Memory': [5.7, null, null, 5.3, null, null],
        'Avg. words Per Turn': [15.9, null, 19.5, 20.7, null, 16.3],
        'Avg. words Per Compressive Memory': [null, 240.7, null, null, 276.8, null],
        'Total AI Characters': [3998, 3998, 3998, 31, 31, 31],
        'Total Sessions/Compressive Memories': [39_999, 30_695, 31_131, 465, 31, 127],
        'Total Turns': [459_511, null, 432_721, 14_415, null, 3937],
      },
    },
    reproduction: {
      needs: [],
      takes: [],
      differences: [
        'Words of Chinese are counted by characters, sentences by their marks; the paper does not say how it counted.',
      ],
      measure: countDolphin,
    },
  },
  {
    id: 'table 2',
    title: 'How near session memories and compressions come to people’s own',
    state: 'data',
    note: 'Dolphin was not published; its references are what is compared with. BLEU, F1 and Distinct need no judge; a language model writes (--model), on a file of one’s own in its form.',
    data: DOLPHIN,
    conditions: {
      model: 'LLaMA 2 (Chinese) 7B and 13B, tuned on Dolphin',
      more: ['Temperature 0.5, at most 2,048 tokens.'],
      // Without effect on what is written.
      settings: { turns: 1 },
    },
    published: {
      unit: 'percent',
      columns: ['BLEU-1', 'BLEU-2', 'F1', 'Distinct-1', 'Distinct-2'],
      rows: {
        'Task 1: COMEDY-7B': [41.4, 34.2, 35.4, 4.2, 35],
        'Task 1: COMEDY-13B': [43, 35, 36.7, 3.9, 34.3],
        'Task 2: COMEDY-7B': [42.7, 34.6, 36.3, 4.1, 34.4],
        'Task 2: COMEDY-13B': [43.7, 35.7, 37, 4.1, 35.2],
      },
    },
    reproduction: {
      needs: ['model'],
      takes: [],
      differences: [
        'The model is not tuned on Dolphin, where the paper’s was, for just these references.',
        'A portrait is made from the session memories that the same model wrote.',
      ],
      measure: writtenOnDolphin,
    },
  },
  {
    id: 'appendix B',
    title: 'How toxic and useless talk is left out of the data',
    state: 'data',
    note: 'No figures in the paper, and not done here. Missing: X Eva’s talk, Azure’s safety service, the list of words, and ChatGPT’s verdicts on content. What is refused when a training set is exported stands in docs/training.md.',
    data: DOLPHIN,
  },
]
