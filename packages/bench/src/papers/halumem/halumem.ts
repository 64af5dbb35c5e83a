import { inOrder } from '../registry/in-order.ts'
import type { Paper } from '../registry/paper.ts'
import { DATA_ITEMS } from './data.ts'
import { DRAWN_ITEMS } from './drawn.ts'
import { SYSTEM_ITEMS } from './systems.ts'

/** HaluMem: where in a memory system what is untrue comes from. */
export const HALUMEM_PAPER: Paper = {
  name: 'halumem',
  title: 'HaluMem: Evaluating Hallucinations in Memory Systems of Agents',
  authors: 'Chen et al., 2026',
  about: 'What a system extracts, updates and answers is judged step by step, right after each session.',
  items: inOrder([...SYSTEM_ITEMS, ...DATA_ITEMS, ...DRAWN_ITEMS]),
}
