import { inOrder } from '../registry/in-order.ts'
import type { Paper } from '../registry/paper.ts'
import { shows } from '../registry/shows.ts'
import { DATA_ITEMS } from './data.ts'
import { REPLY_ITEMS } from './replies.ts'

/** COMEDY: one model that remembers by compressing. */
export const COMEDY: Paper = {
  name: 'comedy',
  title: 'Beyond Retrieval: Embracing Compressive Memory in Real-World Long-Term Conversations',
  authors: 'Chen et al., 2024',
  about:
    'Sessions are summarised, the summaries compressed into one portrait, and replies rest on that alone.',
  items: inOrder([
    ...DATA_ITEMS,
    ...REPLY_ITEMS,
    shows(
      'table 6',
      'The prompts that make preferred and dispreferred replies',
      'Two prompts; ours are written afresh.',
    ),
    shows('table 7', 'The prompts that annotated Dolphin', 'Three prompts; ours are written afresh.'),
    shows('table 8', 'The prompts of the three tasks', 'Three prompts; ours are written afresh.'),
    shows('table 9', 'A session and its memory', 'An example.'),
    shows('table 10', 'Session memories and their compression', 'An example.'),
    shows('figure 1', 'Retrieval, and compression', 'A drawing; the preset `comedy` compresses.'),
    shows('figure 2', 'What each system replies in one talk', 'An example.'),
  ]),
}
