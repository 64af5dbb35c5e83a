import { lufy } from '@keepsake/papers'
/**
 * Computes constants that scale LUFY's five metrics: one set gives them the same mean, the other the same mean and range. They are computed
 * from conversations, which are files of JSON lines as `keepsake import` reads them: turns with `session`, `role`, `text` and `at`.
 *
 *   node tools/data/src/calibrate-signals.ts [--write] [--ratings=FILE…] FILE…
 *
 * The engine remembers each talk with preset lufy, as an application would: it recalls memories for a user's turn before it remembers the
 * turn, and it ends sessions. Arousal, surprise and importance (A, P and L) are measured by the embedded models. The two counts of
 * retrievals (R1 and R2) are those of recall. Ratings are read from recorded answers of a language model to the importance prompt.
 * Perplexity is computed from the paper's figures, since no causal model is available here. The set with the same mean uses the constants
 * that the authors published, as far as there are any. Prints the constants. `--write` stores them in
 * `packages/papers/src/lufy/signal-calibration.json`. The shipped file is made only from the project's own conversations:
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
/** Perplexity of GPT-2 Large on the talk of the LUFY paper (sections 3.2 and 3.4). More than 95 % of utterances are below `cap`. */
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
const pairs: Memory[] = []
for (const file of files) pairs.push(...(await rememberTalk((await loadOwnTalk(file)).conversation)))
const ratings = given
  .filter((argument) => argument.startsWith(RATINGS))
  .flatMap((argument) => readRatings(argument.slice(RATINGS.length)))
const models = Object.values(EMBEDDED_SIGNALS).join(', ')
const source = `${models}; preset lufy on ${files.map((file) => basename(file)).join(', ')}`
const publishedMap = (slope: number, cap: number | null = null): SignalMap => ({
  cap,
  slope,
  offset: 0,
  unbounded: true,
})
const calibration = {
  means: {
    ...calibrateMetrics(pairs, { source, scale: 'means' }),
    arousal: publishedMap(PUBLISHED.arousal),
    first: publishedMap(PUBLISHED.first),
    second: publishedMap(PUBLISHED.second),
    perplexity: {
      source: "the constants of LUFY's published code",
      ...publishedMap(PUBLISHED.perplexity, PAPER_PERPLEXITY.cap),
    },
    ratings: { source: "the constants of LUFY's published code", ...publishedMap(PUBLISHED.ratings) },
  },
  range: {
    ...calibrateMetrics(pairs, { source, scale: 'range' }),
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

/** Remembers a talk. @returns its pairs (a user's turn with the answer), also forgotten ones */
async function rememberTalk({ sessions }: BenchConversation): Promise<Memory[]> {
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

/** Maps the range from 10 to the cap to a range of length 1, and the mean to the mean of the other metrics. */
function perplexityMap(): SignalMap {
  const { mean, cap, least } = PAPER_PERPLEXITY
  const slope = 1 / (cap - least)
  return { cap, slope, offset: NORMALISED_MEANS.range - slope * mean }
}

/** Reads the ratings in a recording's answers to the importance prompt. */
function readRatings(file: string): number[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.flatMap((line) => {
    const { prompt, answer }: { prompt?: string; answer?: string } = JSON.parse(line)
    if (prompt?.startsWith('importance/') !== true || answer === undefined) return []
    const parsed: { ratings: { importance: number }[] } = JSON.parse(answer)
    return parsed.ratings.map(({ importance }) => importance)
  })
}
