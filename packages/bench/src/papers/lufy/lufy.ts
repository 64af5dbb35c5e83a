import type { Paper } from '../registry/paper.ts'
import { ABLATION_ITEMS } from './ablations.ts'
import { ANSWER_ITEMS } from './answers.ts'
import { DRAWN_ITEMS } from './drawn.ts'
import { EXPERIENCE_ITEMS } from './experience.ts'
import { MEMORY_ITEMS } from './memories.ts'
import { RETRIEVAL_ITEMS } from './retrieval.ts'
import { UTTERANCE_ITEMS } from './utterances.ts'
import { inOrder } from '../registry/in-order.ts'

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
