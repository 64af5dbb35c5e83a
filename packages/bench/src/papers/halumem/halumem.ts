import { inOrder } from '../registry/in-order.ts'
import type { Paper, PaperItem } from '../registry/paper.ts'
import { shows } from '../registry/shows.ts'
import { DATA_ITEMS } from './data.ts'
import { SYSTEM_ITEMS } from './systems.ts'

/** Items that are shown, not measured. */
const DRAWN_ITEMS: readonly PaperItem[] = [
  shows(
    'table 1',
    'What five memory systems keep and can do',
    'A comparison by features: what is stored, which operations there are, whether there is a graph.',
  ),
  shows(
    'table 2',
    'HaluMem beside four other benchmarks',
    'A comparison by features; its own numbers are those of Table 6.',
  ),
  shows('figure 1', 'What is made up when memories are extracted, updated and asked for', 'Three examples.'),
  shows('figure 2', 'Judged step by step, or at the end', 'A drawing; the harness judges each step.'),
  shows(
    'figure 3',
    'How HaluMem was made',
    'A drawing of six stages; `keepsake bench generate halumem` has them.',
  ),
  shows(
    'figure 4',
    'How a system is evaluated',
    'A drawing; `keepsake bench run --dataset halumem` does it.',
  ),
  shows('figure 6', 'The page on which people annotated', 'A picture of a screen.'),
  ...['Mem0 and its graph', 'Memobase', 'MemOS', 'Supermemory', 'Zep'].map((system, place) =>
    shows(
      `figure ${7 + place}`,
      `The prompt that answers questions for ${system}`,
      'A prompt; here one reader answers for all.',
    ),
  ),
  shows('figure 12', 'The prompt that judges integrity', 'A prompt; ours is written afresh.'),
  ...['first', 'second', 'third'].map((part, place) =>
    shows(
      `figure ${13 + place}`,
      `The prompt that judges accuracy, ${part} part`,
      'A prompt; ours is written afresh.',
    ),
  ),
  shows('figure 16', 'The prompt that judges updates', 'A prompt; ours is written afresh.'),
  ...['first', 'second'].map((part, place) =>
    shows(
      `figure ${17 + place}`,
      `The prompt that judges answers, ${part} part`,
      'A prompt; ours is written afresh.',
    ),
  ),
]

/** HaluMem: where in a memory system what is untrue comes from. */
export const HALUMEM_PAPER: Paper = {
  name: 'halumem',
  title: 'HaluMem: Evaluating Hallucinations in Memory Systems of Agents',
  authors: 'Chen et al., 2026',
  about: 'What a system extracts, updates and answers is judged step by step, right after each session.',
  items: inOrder([...SYSTEM_ITEMS, ...DATA_ITEMS, ...DRAWN_ITEMS]),
}
