import { LUFY_DATASET } from '../registry/data-sources.ts'
import { inOrder } from '../registry/in-order.ts'
import type { Paper, PaperItem, Reproduction } from '../registry/paper.ts'
import { shows } from '../registry/shows.ts'
import { aboutOfMarked, contemporary, episodes } from '../reproduce/judge-sessions.ts'
import { answersWithout } from '../reproduce/answers-on-lufy.ts'
import { agreementWithout } from '../reproduce/retention-on-lufy.ts'
import { ANSWER_ITEMS, ANSWERING, reproducedBy } from './answers.ts'
import { EXPERIENCE_ITEMS } from './experience.ts'
import { FORGETTING_DIFFERS, MEASURED_BY, MEMORY_ITEMS } from './memories.ts'
import { RETRIEVAL_ITEMS } from './retrieval.ts'

const asked = (measure: Reproduction['measure'], ...more: readonly string[]): Reproduction => ({
  needs: ['judge'],
  takes: [],
  differences: ['The utterances of a session are sorted at once, by a prompt of our own.', ...more],
  measure,
})

/** What people talk about. */
const UTTERANCE_ITEMS: readonly PaperItem[] = [
  {
    id: 'figure 8',
    title: 'How much of what people say in a session is about what they lived through',
    state: 'model',
    note: 'A language model says of every utterance whether it is about an experience of its own: name it with --judge.',
    data: LUFY_DATASET,
    conditions: { judge: 'a language model', more: ['170 sessions.'] },
    published: {
      unit: 'percent',
      columns: ['Share'],
      rows: { 'episode-related utterances': [10.6], 'sessions without any': [21.1] },
    },
    reproduction: asked(episodes),
  },
  {
    id: 'appendix B',
    title: 'How much of what people say is about what goes on now',
    state: 'model',
    note: 'A language model says of every utterance whether it is about what happens now, just happened or is about to: name it with --judge.',
    data: LUFY_DATASET,
    conditions: { judge: 'a language model', more: ['2,092 utterances, drawn at random.'] },
    published: { unit: 'percent', columns: ['Share'], rows: { 'about what goes on now': [22.9] } },
    reproduction: asked(contemporary, 'Every utterance is sorted, where the paper drew 2,092.'),
  },
  {
    id: 'section 3.4',
    title: 'What the utterances that were marked as important are about',
    state: 'model',
    note: 'A language model sorts every marked utterance into profile, episode or other: name it with --judge. The paper did so with its 500 pairs, which were not published; here it is done with LUFY-Dataset’s marks.',
    data: LUFY_DATASET,
    conditions: { judge: 'a language model' },
    published: {
      unit: 'percent',
      columns: ['Share'],
      rows: { 'profile-related': [52.3], 'episode-related': [27.3] },
    },
    reproduction: asked(
      aboutOfMarked,
      'What any of three annotators of LUFY-Dataset marked is sorted, where the paper sorted the pairs its weights were fitted on.',
    ),
  },
]

/** Items that are shown, not measured. */
const DRAWN_ITEMS: readonly PaperItem[] = [
  shows(
    'table 4',
    'How the three systems differ',
    'Naive RAG forgets nothing and ranks by cosine; MemoryBank forgets; LUFY forgets and ranks by cosine and importance. Presets `naive-rag`, `memory-bank`, `lufy`.',
  ),
  shows('table 5', 'A talk of LUFY-Dataset with its marks', 'An example of five utterances.'),
  shows('table 6', 'Questions and answers of LUFY-Dataset', 'An example of three.'),
  shows(
    'table 19',
    'What the three systems reply to one utterance',
    'A constructed example: only LUFY still knows of Harvard.',
  ),
  shows('figure 1', 'The prompt that rates importance (L)', 'A prompt; ours is written afresh.'),
  shows(
    'figure 2',
    'How a memory’s importance is reckoned',
    'A drawing of equations 2 and 3; the preset `lufy` has them.',
  ),
  shows('figure 3', 'How a reply is made', 'A drawing.'),
  shows('figure 4', 'The prompt that writes the reply', 'A prompt; ours is written afresh.'),
  shows('figure 5', 'How memories are forgotten', 'A drawing.'),
  shows('figure 6', 'The prompt that rates a session', 'A prompt, of Table 8; ours is written afresh.'),
  shows('figure 7', 'The prompt that finds episodes', 'A prompt, of Figure 8; ours is written afresh.'),
  shows(
    'figure 9',
    'The prompt that finds what goes on now',
    'A prompt, of appendix B; ours is written afresh.',
  ),
]

const SESSIONS = ['S1', 'S2', 'S3', 'S4', 'Avg.'] as const
const METRICS = ['Precision', 'Recall', 'F1 Score'] as const

/** What each of the five weights does. */
const ABLATION_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 13',
    title: 'Precision, recall and F1 of the answers with one of the five weights set to nought',
    state: 'model',
    note: 'As Table 11, with a weight less: a language model for the systems (--model), one for the verdicts (--judge).',
    data: LUFY_DATASET,
    conditions: ANSWERING,
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
    reproduction: reproducedBy(answersWithout),
  },
  {
    id: 'table 14',
    title: 'How often what is kept was marked as important, with one of the five weights set to nought',
    state: 'deterministic',
    note: 'As Table 12, with a weight less.',
    data: LUFY_DATASET,
    conditions: MEASURED_BY,
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
      takes: ['model', 'embedding', 'arousal', 'surprise'],
      differences: FORGETTING_DIFFERS,
      measure: agreementWithout,
    },
  },
]

/** LUFY: what a chatbot should remember, and what it should forget. */
export const LUFY: Paper = {
  name: 'lufy',
  title: 'Enhancing Long-term RAG Chatbots with Psychological Models of Memory Importance and Forgetting',
  authors: 'Sumida, Inoue, Kawahara, 2025',
  about: 'Memories are weighed by arousal, surprise, importance and use, and nine tenths of them are let go.',
  items: inOrder([
    ...MEMORY_ITEMS,
    ...EXPERIENCE_ITEMS,
    ...ANSWER_ITEMS,
    ...ABLATION_ITEMS,
    ...RETRIEVAL_ITEMS,
    ...UTTERANCE_ITEMS,
    ...DRAWN_ITEMS,
  ]),
}
