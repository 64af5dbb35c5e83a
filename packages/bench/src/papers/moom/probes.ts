import { ZH_4O, ZH_4O_PROBES } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { byRun, bySystemColumns } from '../reproduce/by-run.ts'
import { moomSettings, PUBLISHED } from './variants.ts'

/** MOOM 5.5: nine memories are passed on. */
const MEMORIES = 9
/** MOOM, table 3: the windows of the two columns. */
const TOKENS: Readonly<Record<string, number>> = { moom: 1_000, 'whole-context': 8_000 }
const SYSTEMS: Readonly<Record<string, string>> = {
  moom: 'MOOM',
  mem0: 'Mem0',
  memochat: 'MemoChat',
  'memory-bank': 'MemoryBank',
}

export const PROBE_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 3',
    title:
      'How many probes are answered from memories, from the whole talk, and by three other ways to long context',
    state: 'data',
    note: 'The probes were not published. On talks with a field `probes`: a language model for the system (--model) and one that chooses (--reader). InfLLM, RAPTOR and HippoRAG2 are not among the systems here.',
    data: ZH_4O_PROBES,
    conditions: {
      model: 'Qwen1.5-14B',
      reader: 'Qwen1.5-7B, Qwen1.5-14B, Qwen2.5-1M-7B, Qwen2.5-1M-14B',
      more: [
        'The windows are 8k for “vanilla”, 2k and 1k for the others; of the 1M models they are unlimited.',
      ],
      settings: (row) => moomSettings({ contextTokens: TOKENS[row] ?? null })(row),
    },
    published: {
      unit: 'share',
      columns: ['vanilla', 'InfLLM', 'RAPTOR', 'HippoRAG2', 'MOOM'],
      rows: {
        'Qwen1.5-7B': [0.607, 0.57, 0.626, 0.73, 0.793],
        'Qwen1.5-14B': [0.687, 0.635, 0.717, 0.763, 0.827],
        'Qwen2.5-1M-7B': [0.781, 0.673, 0.722, 0.759, 0.831],
        'Qwen2.5-1M-14B': [0.852, 0.703, 0.74, 0.792, 0.836],
      },
    },
    reproduction: {
      needs: ['model', 'reader'],
      takes: ['reranking'],
      choosesSystem: true,
      differences: [
        'The probes are one’s own.',
        '“vanilla” is the system `whole-context`: the last 8,000 tokens of the talk, whatever the reader’s own window.',
      ],
      measure: bySystemColumns({
        dataset: 'zh-4o',
        tasks: ['probes'],
        columns: { moom: 'MOOM', 'whole-context': 'vanilla' },
        cell: { unit: 'share', task: 'probes', metric: 'accuracy' },
        row: 'reader',
        presets: { moom: PUBLISHED },
        more: (_, system) => ({ memories: MEMORIES, contextTokens: TOKENS[system ?? 'moom'] ?? 1_000 }),
      }),
    },
  },
  {
    id: 'table 6',
    title: 'How near a reply comes to the one that knows what was said (probe table), 0 to 5',
    state: 'data',
    note: 'The paper’s 30 probes were not published; `keepsake bench generate probe-table` writes 30 of our own. A language model for the system (--model), one that replies (--reader) and one that judges (--judge).',
    data: ZH_4O,
    conditions: {
      model: 'Qwen2.5-72B; for MOOM a tuned Qwen2-7B',
      reader: 'Qwen2.5-72B',
      judge: 'Qwen2.5-72B',
      embedding: 'BGE',
      more: ['30 probes, each said somewhere in the talk and asked later.'],
      settings: moomSettings({ retention: null, memoriesWanted: null }),
    },
    published: {
      unit: 'score',
      columns: ['Similarity'],
      rows: { MOOM: [1.521], Mem0: [0.951], MemoChat: [1.212], MemoryBank: [0.942] },
    },
    reproduction: {
      needs: ['model', 'reader', 'judge'],
      takes: ['reranking'],
      choosesSystem: true,
      differences: [
        'The thirty probes are our own, and so are the places where they are said.',
        'The reader has what was retrieved and nothing else; the paper adds “limited dialogue context”.',
      ],
      measure: byRun({
        dataset: 'zh-4o',
        tasks: ['probe-table'],
        systems: ['moom'],
        presets: { moom: PUBLISHED },
        cells: [{ column: 'Similarity', unit: 'score', task: 'probe-table', metric: 'reply_score' }],
        beside: (system) => SYSTEMS[system] ?? null,
        more: () => ({ memories: MEMORIES }),
      }),
    },
  },
]
