import type { PaperItem } from '../registry/paper.ts'
import { shows } from '../registry/shows.ts'

/** What is shown, and not measured. */
export const DRAWN_ITEMS: readonly PaperItem[] = [
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
