import { LOCOMO, ZH_4O } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { byVariants } from '../reproduce/by-variants.ts'
import { forgettingParameters, keptByCapacity } from '../reproduce/forgetting-on-locomo.ts'
import { LABEL_AND_PROBE_CELLS, LABELS_DIFFER, PROBE_ROLES } from './extraction.ts'
import { CAPACITY_VARIANTS, moomSettings } from './variants.ts'

const IN_KIND = [
  'LoCoMo’s talks instead of ZH-4O’s, and turns as they were said instead of memories that a model made.',
  'What is counted is whether the turns that answer a question are still kept, instead of how near memories come to what people marked.',
  'Capacity is a share of the mean talk, instead of 2k to 10k.',
  'What a turn finds is ranked by words and the built-in embedder, instead of a reranker.',
]

export const FORGETTING_ITEMS: readonly PaperItem[] = [
  {
    id: 'figure 3',
    title:
      'How much is kept by capacity, for three ways to forget: BERTScore and MemScore in the paper, here the turns that answer questions',
    state: 'model',
    note: 'Drawn in the paper: at 3k MOOM is above MemoryBank, at 6k above Mem0, and competition above the Ebbinghaus curve throughout. As drawn it is measured with Figure 7, by a language model; the same comparison in kind, of turns as they were said, runs without one on LoCoMo.',
    data: { ...LOCOMO, inPlaceOf: ZH_4O },
    conditions: { model: 'MOOM-7B; Qwen2.5-72B for the others' },
    reproduction: { needs: [], takes: [], differences: IN_KIND, measure: keptByCapacity },
  },
  {
    id: 'figure 6',
    title: 'How α, β, γ and k of the forgetting bear on what is kept',
    state: 'model',
    note: 'Drawn in the paper: best at α 0.1, β 0.9 and k 9; γ hardly matters. As drawn it needs a language model; the same sweep in kind runs without one on LoCoMo.',
    data: { ...LOCOMO, inPlaceOf: ZH_4O },
    conditions: { model: 'MOOM-7B' },
    reproduction: { needs: [], takes: [], differences: IN_KIND, measure: forgettingParameters },
  },
  {
    id: 'figure 7',
    title: 'M3E, ROUGE-L, ROUGE-2 and probes by capacity',
    state: 'model',
    note: 'Drawn in the paper: at 6k competition answers more probes than a memory without a limit. BERTScore and MemScore of Figure 3 are measured with it. A language model for the system (--model) and one that judges (--judge); without them everything is by rule.',
    data: ZH_4O,
    conditions: {
      model: 'MOOM-7B; Qwen2.5-72B for the others',
      settings: (row) =>
        moomSettings({ retention: row === 'without a limit' ? 'nothing forgotten' : null })(`moom ${row}`),
    },
    reproduction: {
      needs: [],
      takes: PROBE_ROLES,
      differences: [
        ...LABELS_DIFFER,
        'The paper does not name the unit of its capacity; here it is characters of facts and summaries.',
        'The talks have no times: turns are put a minute apart, and the Ebbinghaus curve counts by that.',
        'Other systems are not among the rows; `--table 1 --system` measures them.',
      ],
      measure: byVariants({
        dataset: 'zh-4o',
        tasks: ['labels', 'probes'],
        variants: CAPACITY_VARIANTS,
        cells: LABEL_AND_PROBE_CELLS,
        memories: 9,
      }),
    },
  },
]
