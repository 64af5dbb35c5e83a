import { lufy } from '@keepsake/papers'
/**
 * Computes the constants that bring LUFY's five metrics to one mean, and to one mean and range, from conversations passed in: JSON lines of
 * turns with `session`, `role`, `text` and `at`, as `keepsake import` takes them.
 *
 *   node tools/data/src/calibrate-signals.ts [--write] [--ratings=FILE…] FILE…
 *
 * Each talk is heard by the engine with preset lufy as an application lets it be: what the user says is recalled by before it
 * is remembered, sessions end. So A, P and L are what the embedded models measure, R1 and R2 what recall counted. Ratings are
 * read from recordings of a language model's answers to the importance prompt. Perplexity comes from the paper's figures: no
 * causal model is available here. On the scale of means, the authors' published constants stand wherever their models do. Prints the constants; `--write` stores them as `packages/papers/src/lufy/signal-calibration.json`.
 * What ships is made from the project's own conversations and from nothing else:
 *
 *   node tools/data/src/calibrate-signals.ts --write --ratings=packages/bench/data/answers/nadia-en/lufy.jsonl \
 *     --ratings=packages/bench/data/answers/haoran-zh/lufy.jsonl packages/cli/data/demo/*.jsonl packages/bench/data/talks/*.jsonl
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  calibrateMetrics,
  calibrateSignal,
  EMBEDDED_SIGNALS,
  NORMALISED_MEANS,
  type SignalMap,
} from '@keepsake/papers'
import type { Memory } from '../../../packages/keepsake/src/memories/memory.ts'
import { loadOwnTalk, type BenchConversation } from '@keepsake/bench'
import { openMemory } from 'keepsake'

const TARGET = fileURLToPath(
  new URL('../../../packages/papers/src/lufy/signal-calibration.json', import.meta.url),
)
/** LUFY, 3.2 and 3.4, of GPT-2 Large on its own talk: the mean, and what covers more than 95 % of utterances. */
const PAPER_PERPLEXITY = { mean: 39.5, cap: 160, least: 10 } as const
/** The constants of the authors' code, `forget_mechanism_wisely.py`: a divisor and an adjustment of the mean for each metric. */
const PUBLISHED = {
  arousal: 1.5012260479089086 / 15,
  perplexity: 2.8709762924617905 / 400,
  ratings: 2.1297349437869455 / 27.5,
  first: 0.62885264522,
  second: 2.2459023043571427,
} as const
const RATINGS = '--ratings='

const given = process.argv.slice(2)
const files = given.filter((argument) => !argument.startsWith('--'))
if (files.length === 0) throw new Error('Name at least one file of turns (JSON lines).')
const heard: Memory[] = []
for (const file of files) heard.push(...(await hear((await loadOwnTalk(file)).conversation)))
const ratings = given
  .filter((argument) => argument.startsWith(RATINGS))
  .flatMap((argument) => readRatings(argument.slice(RATINGS.length)))
const models = Object.values(EMBEDDED_SIGNALS).join(', ')
const source = `${models}; preset lufy on ${files.map((file) => basename(file)).join(', ')}`
const published = (slope: number, cap: number | null = null): SignalMap => ({
  cap,
  slope,
  offset: 0,
  unbounded: true,
})
const calibration = {
  means: {
    ...calibrateMetrics(heard, { source, scale: 'means' }),
    arousal: published(PUBLISHED.arousal),
    first: published(PUBLISHED.first),
    second: published(PUBLISHED.second),
    perplexity: {
      source: "the constants of LUFY's published code",
      ...published(PUBLISHED.perplexity, PAPER_PERPLEXITY.cap),
    },
    ratings: { source: "the constants of LUFY's published code", ...published(PUBLISHED.ratings) },
  },
  range: {
    ...calibrateMetrics(heard, { source, scale: 'range' }),
    perplexity: { source: 'mean and cap that LUFY reports of GPT-2 Large', ...perplexityMap() },
    ratings: {
      source: `${ratings.length} ratings by a language model of the project's own talks`,
      ...calibrateSignal(ratings, { scale: 'range' }),
    },
  },
}
const json = `${JSON.stringify(calibration, undefined, 2)}\n`
if (given.includes('--write')) writeFileSync(TARGET, json)
console.log(json)

/** The pairs that a talk leaves, forgotten ones included. */
async function hear({ sessions }: BenchConversation): Promise<Memory[]> {
  const clock = { now: 0 }
  const keepsake = await openMemory({ path: ':memory:', preset: lufy, now: () => clock.now })
  try {
    const person = keepsake.scope({ user: 'somebody' })
    for (const { id: session, turns } of sessions) {
      for (const { role, text, at } of turns) {
        clock.now = at
        if (role === 'user') await person.recall(text)
        await person.remember({ role, text, at }, { session })
        await person.drain()
      }
      await person.endSession(session)
      await person.drain()
    }
    return [...(await person.memories({ forms: ['utterance'], statuses: ['live', 'forgotten'] }))]
  } finally {
    await keepsake.close()
  }
}

/** The range from 10 to the cap spans 1, and the mean maps to the mean. */
function perplexityMap(): SignalMap {
  const { mean, cap, least } = PAPER_PERPLEXITY
  const slope = 1 / (cap - least)
  return { cap, slope, offset: NORMALISED_MEANS.range - slope * mean }
}

/** What the importance prompt was answered, in a recording. */
function readRatings(file: string): number[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.flatMap((line) => {
    const { prompt, answer }: { prompt?: string; answer?: string } = JSON.parse(line)
    if (prompt?.startsWith('importance/') !== true || answer === undefined) return []
    const parsed: { ratings: { importance: number }[] } = JSON.parse(answer)
    return parsed.ratings.map(({ importance }) => importance)
  })
}
