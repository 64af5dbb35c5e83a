import type { PublishedTable } from '../registry/paper.ts'

export const LABEL_COLUMNS = ['BERTScore', 'M3E', 'ROUGE-2', 'ROUGE-L', 'MemScore'] as const

export const TABLE_1: PublishedTable = {
  unit: 'share',
  columns: [...LABEL_COLUMNS, 'QA precision'],
  unitOf: { MemScore: 'score' },
  rows: {
    'Mem0-14B': [0.6955, 0.8612, 0.1542, 0.4056, 0.411, 0.459],
    'Mem0-32B': [0.7055, 0.8672, 0.1724, 0.4145, 0.504, 0.509],
    'Mem0-72B': [0.7108, 0.8717, 0.1851, 0.4288, 0.519, 0.612],
    'MemoChat-14B': [0.7728, 0.894, 0.1973, 0.3462, 2.515, 0.511],
    'MemoChat-32B': [0.7786, 0.8884, 0.204, 0.3424, 2.535, 0.718],
    'MemoChat-72B': [0.7788, 0.8897, 0.2033, 0.3404, 2.303, 0.693],
    'MemoryBank-14B': [0.7474, 0.8301, 0.0292, 0.0683, 1.589, 0.513],
    'MemoryBank-32B': [0.7591, 0.8419, 0.0396, 0.083, 1.732, 0.651],
    'MemoryBank-72B': [0.7592, 0.8374, 0.0403, 0.0839, 1.78, 0.692],
    'MOOM-7B finetuned': [0.8018, 0.9017, 0.2806, 0.4834, 3.17, 0.832],
    'MOOM-14B': [0.7525, 0.8912, 0.2816, 0.4832, 2.59, 0.827],
    'MOOM-32B': [0.7795, 0.8931, 0.2914, 0.4971, 2.784, 0.813],
    'MOOM-72B': [0.8071, 0.9149, 0.3341, 0.5153, 3.317, 0.84],
  },
}

export const TABLE_5: PublishedTable = {
  unit: 'share',
  columns: ['BERTScore', 'ROUGE-2', 'ROUGE-L', 'MemScore'],
  unitOf: { MemScore: 'score' },
  rows: {
    'Mem0-14B': [0.5932, 0.1232, 0.3856, 0.458],
    'Mem0-72B': [0.6312, 0.1442, 0.3904, 0.524],
    'MemoChat-14B': [0.6223, 0.1563, 0.3061, 2.362],
    'MemoChat-72B': [0.6872, 0.1733, 0.3198, 2.521],
    'MemoryBank-14B': [0.6247, 0.0387, 0.0684, 1.49],
    'MemoryBank-72B': [0.6712, 0.0433, 0.0981, 1.68],
    'MOOM-14B': [0.6521, 0.2492, 0.4211, 2.324],
    'MOOM-72B': [0.7088, 0.2925, 0.4288, 3.288],
  },
}
