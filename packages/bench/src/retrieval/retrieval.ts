import { RETRIEVAL_PARTS } from 'keepsake/preset'
import { findPreset, PRESET_NAMES } from '@keepsake/papers'
import { z } from 'zod'
import { defineBenchmark } from '../benchmark/benchmark.ts'
import { oneOf } from '../benchmark/options.ts'
import type { BenchConversation, OpenedDataset } from '../datasets/conversation.ts'
import { requirePath } from '../benchmark/require-path.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import { entriesOf } from '../runs/figures/make-figures.ts'
import { summariseLog } from '../runs/figures/summarise-log.ts'
import { MODEL_OPTIONS } from '../runs/model-options.ts'
import { measureSystem } from '../runs/measure-system.ts'
import { keepsakeSystem } from '../systems/keepsake.ts'
import { turnBm25 } from '../systems/kept-turns.ts'
import { withoutPartsOf } from '../systems/open-keepsake.ts'
import type { Figure } from '../log/figure.ts'
import type { RetrievalEntry } from '../log/log-entry.ts'
import { bootstrapInterval } from '../metrics/bootstrap-interval.ts'

/** Measures retrieval alone. It can switch off parts of the ranking, and compare the two languages of MemoryBank. */
export const retrieval = defineBenchmark({
  name: 'retrieval',
  about: 'Measures how often the turns that answer a question are among the first recalled.',
  examples: [
    'retrieval --dataset locomo --path locomo10.json --json',
    'retrieval --dataset lufy --path lufy-dataset --without recency',
    'retrieval --dataset everyday',
  ],
  options: z.object({
    dataset: oneOf(['locomo', 'lufy', 'memorybank', 'everyday']).meta({
      value: '<name>',
      description: 'the data set',
    }),
    path: z.string().optional().meta({
      value: '<path>',
      description: "the data set's file (locomo) or folder (lufy, memorybank, everyday)",
      standard: 'for everyday the talks that ship',
    }),
    without: z
      .array(oneOf(RETRIEVAL_PARTS))
      .default([])
      .meta({ value: '<parts>', description: 'switch off parts of the ranking' }),
    system: oneOf(['keepsake', 'bm25']).default('keepsake').meta({
      value: '<name>',
      description: 'what is measured; bm25 is the baseline: the words of each turn alone',
    }),
    preset: oneOf(PRESET_NAMES)
      .default('keepsake')
      .meta({ value: '<name>', description: 'how it remembers and forgets' }),
    embedding: MODEL_OPTIONS.embedding,
  }),
  async *open({ dataset: name, path: given, without, system: asked, preset, embedding }, context) {
    const system = asked === 'bm25' ? turnBm25() : keepsakeSystem(preset, { without })
    const path = requirePath(name, given)
    const dataset = name === 'memorybank' ? await openMemoryBank(path) : await openDataset(name, path)
    const who = { judge: deterministicJudge.name, reader: extractiveReader.name }
    const measured = measureSystem({
      dataset,
      system,
      embedding: embedding === undefined ? null : await context.openEmbedding(embedding),
      tasks: [name === 'everyday' ? 'everyday' : 'retrieval'],
      reader: extractiveReader,
      judge: deterministicJudge,
      concurrency: 1,
    })
    const { ranking } = withoutPartsOf(findPreset(preset), without)
    const weights = ranking.kind === 'hybrid' && asked === 'keepsake' ? ranking.recipe.weights : null
    yield {
      ...measured,
      config: { ...measured.config, weights },
      asked: {},
      goesOn: 'never',
      summarise: (log) => [
        {
          system: system.name,
          figures: [
            ...summariseLog(log, who),
            ...(name === 'memorybank' ? languageFigures(entriesOf(log, 'retrieval')) : []),
          ],
        },
      ],
    }
  },
})

/** Both languages as one data set: each person's conversation is there in English and in Chinese. */
async function openMemoryBank(path: string): Promise<OpenedDataset> {
  const english = await openDataset('memorybank-en', path)
  const chinese = await openDataset('memorybank-cn', path)
  return {
    name: 'memorybank',
    language: 'en',
    dataHash: `en:${english.dataHash} cn:${chinese.dataHash}`,
    size: english.size + chinese.size,
    async *conversations() {
      yield* inLanguage(english, 'en', 'english')
      yield* inLanguage(chinese, 'cn', 'chinese')
    },
    leftOut: () => ({
      'en.unlabelled': english.leftOut()['unlabelled'] ?? 0,
      'cn.unlabelled': chinese.leftOut()['unlabelled'] ?? 0,
    }),
  }
}

/** Puts the language before the names of conversations, and makes it the category of every question. */
async function* inLanguage(
  data: OpenedDataset,
  language: string,
  category: string,
): AsyncGenerator<BenchConversation> {
  for await (const conversation of data.conversations())
    yield {
      ...conversation,
      language: data.language,
      name: `${language}/${conversation.name}`,
      questions: conversation.questions.map((question) => ({ ...question, category })),
    }
}

const METRICS = ['hit@5', 'mrr'] as const

/** The same question in both languages. */
interface Pair {
  readonly person: string
  readonly difference: number
}

/** How much better questions do in Chinese than in English, with the interval over people. */
function languageFigures(entries: readonly RetrievalEntry[]): Figure[] {
  const isEnglish = ({ conversation }: RetrievalEntry): boolean => conversation.startsWith('en/')
  const english = new Map(entries.filter(isEnglish).map((entry) => [keyOf(entry), entry]))
  const chinese = entries.filter((entry) => !isEnglish(entry))
  return METRICS.map((metric): Figure => {
    const pairs = chinese.flatMap((entry): Pair[] => {
      const [chineseScore, englishScore] = [
        entry.scores?.[metric],
        english.get(keyOf(entry))?.scores?.[metric],
      ]
      return chineseScore === undefined || englishScore === undefined
        ? []
        : [{ person: entry.person, difference: chineseScore - englishScore }]
    })
    const mean = (resampled: readonly Pair[]): number =>
      resampled.reduce((sum, { difference }) => sum + difference, 0) / resampled.length
    const clusters = [...Map.groupBy(pairs, ({ person }) => person).values()]
    return {
      task: 'retrieval',
      metric,
      slice: 'difference:cn − en',
      value: pairs.length === 0 ? null : mean(pairs),
      interval: pairs.length === 0 ? null : bootstrapInterval(clusters, mean, { seed: 1 }),
      count: pairs.length,
      unit: 'share',
      judge: null,
    }
  })
}

function keyOf({ person, question }: RetrievalEntry): string {
  return JSON.stringify([person, question])
}
