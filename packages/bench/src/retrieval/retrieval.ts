import { RETRIEVAL_PARTS } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import { z } from 'zod'
import { defineBenchmark } from '../benchmark/benchmark.ts'
import { oneOf } from '../benchmark/options.ts'
import { requirePath } from '../benchmark/require-path.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import { summariseLog } from '../runs/figures/summarise-log.ts'
import { measureSystem } from '../runs/measure-system.ts'
import { MODEL_OPTIONS } from '../runs/model-options.ts'
import { keepsakeSystem } from '../systems/keepsake.ts'
import { withoutPartsOf } from '../systems/open-keepsake.ts'

/** Measures retrieval by the default preset alone. It can switch off parts of the ranking. */
export const retrieval = defineBenchmark({
  name: 'retrieval',
  about: 'Measures how often the turns that answer a question are among the first recalled ones.',
  examples: [
    'retrieval --dataset locomo --path locomo10.json --json',
    'retrieval --dataset lufy --path lufy-dataset --without recency',
    'retrieval --dataset everyday',
  ],
  options: z.object({
    dataset: oneOf(['locomo', 'lufy', 'memorybank-en', 'memorybank-cn', 'everyday']).meta({
      value: '<name>',
      description: 'the data set',
    }),
    path: z.string().optional().meta({
      value: '<path>',
      description: 'the file (locomo) or folder (other data sets)',
      standard: 'for everyday the shipped conversations',
    }),
    without: z
      .array(oneOf(RETRIEVAL_PARTS))
      .default([])
      .meta({ value: '<parts>', description: 'parts of the ranking to switch off' }),
    embedding: MODEL_OPTIONS.embedding,
  }),
  async *open({ dataset, path, without, embedding }, context) {
    const system = keepsakeSystem('keepsake', { without })
    const measured = measureSystem({
      dataset: await openDataset(dataset, requirePath(dataset, path)),
      system,
      embedding: embedding === undefined ? null : await context.openEmbedding(embedding),
      tasks: [dataset === 'everyday' ? 'everyday' : 'retrieval'],
      reader: extractiveReader,
      judge: deterministicJudge,
      concurrency: 1,
    })
    const { ranking } = withoutPartsOf(findPreset('keepsake'), without)
    const weights = ranking.kind === 'hybrid' ? ranking.recipe.weights : null
    const names = { judge: deterministicJudge.name, reader: extractiveReader.name }
    yield {
      ...measured,
      config: { ...measured.config, weights },
      asked: {},
      resumes: 'never',
      summarise: (log) => [{ system: system.name, figures: summariseLog(log, names) }],
    }
  },
})
