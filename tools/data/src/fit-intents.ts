/**
 * Fits the linear model of packages/text/src/intents: a softmax regression by stochastic gradients (AdaGrad, Duchi et al. 2011) on the
 * messages of packages/bench/data/messages, and on the users' sentences of talks, which mostly have no intent.
 *
 *   node tools/data/src/fit-intents.ts --talks everyday=DIR --talks halumem=FILE … [--write]
 *
 * Prints for each writer, and for each of the talks, what a fit without these finds in them. `--write` fits all, and writes
 * packages/text/data/intents.json.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findTerms, readPlainRequest, splitSentences } from '@keepsake/text'
import { openDataset } from '../../../packages/bench/src/datasets/open-dataset.ts'
import {
  INTENTS,
  intentProbabilities,
  type IntentWeights,
} from '../../../packages/text/src/intents/read-intent.ts'
import { sentenceFeatures } from '../../../packages/text/src/intents/sentence-features.ts'

const MESSAGES = 'packages/bench/data/messages'
const EPOCHS = 10
const RATE = 0.5
const BIAS_RATE = 0.02
/** A feature of fewer examples has no weights. */
const MIN_EXAMPLES = 3
/** Multiplies all weights, so that the penalty acts on small numbers. */
const STEP = 4
/** Penalty of large weights. */
const L2 = 1e-4
/**
 * Probabilities from which a sentence has an intent, chosen on messages of writers that a fit did not know. They are high, because a wrong
 * instruction stands in every context, and a wrong request asks a question. A withdrawal must also name a valid instruction.
 */
const THRESHOLDS = { instruct: 0.97, withdraw: 0.7, forget: 0.9 } as const
/** A term in at least this share of the requests may be one that is never their topic. */
const MIN_REQUEST_SHARE = 0.01
/** A term in this share of the requests always is. */
const USUAL_SHARE = 0.02
/** Another such term is this much more frequent in requests than in other messages. */
const MIN_REQUEST_RATIO = 1.5

interface Example {
  readonly language: string
  readonly intent: (typeof INTENTS)[number]
  readonly text: string
}

function readMessages(file: string): Example[] {
  return readFileSync(join(MESSAGES, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const [language = '', label = '', text = ''] = line.split('\t')
      const intent = INTENTS.find((name) => name === label)
      if (intent === undefined || text === '') throw new Error(`${file}, line ${index + 1}: ${line}`)
      return { language, intent, text }
    })
}

/** Returns the users' sentences of a data set, without the few that rules read as a request. */
async function readTalks(option: string): Promise<Example[]> {
  const [name, path] = option.split('=')
  if ((name !== 'everyday' && name !== 'halumem') || path === undefined)
    throw new Error(`--talks ${option}: not everyday=DIR or halumem=FILE`)
  const talks = await Array.fromAsync((await openDataset(name, path)).conversations())
  return talks.flatMap(({ sessions }) =>
    sessions
      .flatMap(({ turns }) => turns.filter(({ role }) => role === 'user'))
      .flatMap((turn) => splitSentences(turn.text))
      .filter(({ text }) => readPlainRequest(text) === null)
      .map(({ text }): Example => ({ language: '', intent: 'none', text })),
  )
}

/** Returns numbers from 0 to 1, always the same ones (a linear congruential generator). */
function makeRandom(): () => number {
  let state = 7
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

/** Fits the weights and rounds them to bytes. */
function fit(examples: readonly Example[]): IntentWeights {
  const random = makeRandom()
  const inputs = examples.map(({ text, intent }) => ({
    features: sentenceFeatures(text),
    intent: INTENTS.indexOf(intent),
  }))
  const rows = frequentFeatures(inputs)
  const weights = new Float32Array(rows.size * INTENTS.length)
  const squares = new Float32Array(weights.length).fill(1e-2)
  const biases = INTENTS.map(() => 0)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = inputs.map((input) => ({ input, place: random() })).sort((a, b) => a.place - b.place)
    for (const { input } of order) {
      const { features, intent } = input
      const scale = STEP / Math.sqrt(Math.max(1, features.length))
      const probabilities = intentProbabilities(features, { biases, step: STEP, rows, weights })
      for (const [label, probability] of probabilities.entries()) {
        const error = probability - Number(label === intent)
        biases[label] = (biases[label] ?? 0) - BIAS_RATE * error
        for (const feature of features) {
          const row = rows.get(feature)
          if (row === undefined) continue
          const at = row + label
          const gradient = error * scale + L2 * (weights[at] ?? 0)
          squares[at] = (squares[at] ?? 0) + gradient * gradient
          weights[at] = (weights[at] ?? 0) - (RATE * gradient) / Math.sqrt(squares[at] ?? 1)
        }
      }
    }
  }
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
  return {
    biases,
    step: step * STEP,
    rows,
    weights: Int8Array.from(weights, (weight) => Math.round(weight / step)),
  }
}

/** Returns where the weights of each feature of several examples begin. */
function frequentFeatures(inputs: readonly { readonly features: Uint32Array }[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { features } of inputs)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const frequent = [...counts].filter(([, count]) => count >= MIN_EXAMPLES)
  return new Map(frequent.map(([feature], index) => [feature, index * INTENTS.length]))
}

/** Prints how many examples of each intent a model finds, and how many of the others it takes for it. */
function report(name: string, model: IntentWeights, examples: readonly Example[]): void {
  for (const [language, group] of Map.groupBy(examples, (example) => example.language.slice(0, 2)))
    for (const intent of ['instruct', 'withdraw', 'forget'] as const) {
      const rate = (list: readonly Example[]): string => {
        const found = list.filter(
          ({ text }) =>
            (intentProbabilities(sentenceFeatures(text), model)[INTENTS.indexOf(intent)] ?? 0) >=
            THRESHOLDS[intent],
        )
        return `${found.length} of ${list.length}`
      }
      const [ofIntent = [], others = []] = [true, false].map((is) =>
        group.filter((example) => (example.intent === intent) === is),
      )
      console.log(`${name} ${language} ${intent}: found ${rate(ofIntent)}, wrongly ${rate(others)}`)
    }
}

/** Lists the terms that many requests have, and more often than other messages. They are never the topic of a request. */
function requestTermsOf(examples: readonly Example[]): string[] {
  const shareOf = (list: readonly Example[]): ((term: string) => number) => {
    const counts = new Map<string, number>()
    for (const { text } of list)
      for (const term of new Set(findTerms(text))) counts.set(term, (counts.get(term) ?? 0) + 1)
    return (term) => (counts.get(term) ?? 0) / list.length
  }
  const requests = examples.filter(({ intent }) => intent === 'forget')
  const shareOfRequests = shareOf(requests)
  const shareOfOthers = shareOf(examples.filter(({ intent }) => intent !== 'forget'))
  const terms = new Set(requests.flatMap(({ text }) => findTerms(text)))
  return [...terms]
    .filter(
      (term) =>
        shareOfRequests(term) >=
        Math.max(MIN_REQUEST_SHARE, Math.min(USUAL_SHARE, MIN_REQUEST_RATIO * shareOfOthers(term))),
    )
    .sort()
}

const { values } = parseArgs({
  options: { talks: { type: 'string', multiple: true }, write: { type: 'boolean', default: false } },
})
const parts = new Map<string, readonly Example[]>()
for (const file of readdirSync(MESSAGES).sort())
  if (file.endsWith('.tsv')) parts.set(file, readMessages(file))
for (const option of values.talks ?? []) parts.set(option, await readTalks(option))
if (values.write) {
  const examples = [...parts.values()].flat()
  const model = fit(examples)
  const file = {
    source: 'tools/data/src/fit-intents.ts, from the messages of packages/bench/data/messages (Apache-2.0)',
    biases: model.biases.map((bias) => Number(bias.toFixed(4))),
    step: Number(model.step.toPrecision(6)),
    thresholds: THRESHOLDS,
    requestTerms: requestTermsOf(examples),
    features: Buffer.from(Uint32Array.from(model.rows.keys()).buffer).toString('base64'),
    weights: Buffer.from(model.weights.buffer).toString('base64'),
  }
  writeFileSync('packages/text/data/intents.json', `${JSON.stringify(file)}\n`)
} else
  for (const [name, examples] of parts) {
    const others = [...parts].flatMap(([other, list]) => (other === name ? [] : list))
    report(name, fit(others), examples)
  }
