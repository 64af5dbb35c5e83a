// Classifies a user's sentence by a linear model: it asks to forget, wishes for a manner of all replies, or does neither.
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { findTerms } from '../terms/analyse-text.ts'
import { damagedData, parsePackagedData, readPackagedData } from '../terms/read-packaged-data.ts'
import { sentenceFeatures } from './sentence-features.ts'

export const INTENTS_FILE = 'intents.json'

/**
 * What a message may be for. `withdraw`: it takes an instruction back. `once`: it asks for something now. `none`: anything else. The last
 * two are never returned. The model has them to tell their messages from the others.
 */
export const INTENTS = ['none', 'once', 'instruct', 'withdraw', 'forget'] as const
/** An intent that changes memory. */
export type Intent = 'instruct' | 'withdraw' | 'forget'

/** The packaged model. `features` has the hashes of features and `weights` one byte for each intent of each feature, as base64. */
const modelSchema = z.object({
  source: z.string(),
  biases: z.array(z.number()).length(INTENTS.length),
  /** The value of one step of a byte. */
  step: z.number().positive(),
  features: z.string(),
  weights: z.string(),
  /** The probability from which a sentence has this intent. */
  thresholds: z.object({ instruct: z.number(), withdraw: z.number(), forget: z.number() }),
  /** Terms of requests to forget that are never their topic. */
  requestTerms: z.array(z.string()),
})

/** The numbers of a linear model. */
export interface IntentWeights {
  /** One for each of `INTENTS`. */
  readonly biases: readonly number[]
  /** Multiplies every weight. */
  readonly step: number
  /** Where the weights of a feature begin, by its hash. Other features weigh nothing. */
  readonly rows: ReadonlyMap<number, number>
  readonly weights: Int8Array | Float32Array
}

/** The packaged model, decoded. */
export interface IntentModel extends IntentWeights {
  readonly thresholds: Readonly<Record<Intent, number>>
  readonly requestTerms: ReadonlySet<string>
}

let loaded: IntentModel | undefined
/** Returns the packaged model, read on first use and cached. @throws ModelError if it is missing or damaged */
function packagedModel(): IntentModel {
  return (loaded ??= decodeIntentModel(readPackagedData(INTENTS_FILE).toString('utf8')))
}

/** Decodes the packaged form. @throws ModelError if the text is no model of intents */
export function decodeIntentModel(text: string): IntentModel {
  const file = parsePackagedData(INTENTS_FILE, text, modelSchema)
  const weights = Int8Array.from(Buffer.from(file.weights, 'base64'))
  const hashes = Buffer.from(file.features, 'base64')
  if (weights.length * 4 !== hashes.length * INTENTS.length) throw damagedData(INTENTS_FILE)
  const rows = new Map<number, number>()
  for (let index = 0; index * 4 < hashes.length; index++)
    rows.set(hashes.readUInt32LE(index * 4), index * INTENTS.length)
  return { ...file, rows, weights, requestTerms: new Set(file.requestTerms) }
}

/** Returns the probability of each of `INTENTS` for a sentence with these features (softmax). */
export function intentProbabilities(
  features: Uint32Array,
  { biases, step, rows, weights }: IntentWeights = packagedModel(),
): number[] {
  // Features without weights count too: a sentence of unknown words has no sure intent.
  const scale = step / Math.sqrt(Math.max(1, features.length))
  const scores = [...biases]
  for (const feature of features) {
    const row = rows.get(feature)
    if (row === undefined) continue
    for (let intent = 0; intent < scores.length; intent++)
      scores[intent] = (scores[intent] ?? 0) + scale * (weights[row + intent] ?? 0)
  }
  const highest = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - highest))
  const total = odds.reduce((sum, value) => sum + value, 0)
  return odds.map((value) => value / total)
}

/** Caches probabilities by sentence, because several steps read the intent of the same sentences. */
const recent = new LRUCache<string, readonly number[]>({ max: 200 })

function probabilitiesOf(sentence: string): readonly number[] {
  const probabilities = recent.get(sentence) ?? intentProbabilities(sentenceFeatures(sentence))
  recent.set(sentence, probabilities)
  return probabilities
}

/** Maximum characters of a sentence with an intent. Longer ones are mostly pasted text. */
const MAX_LENGTH = 300

/**
 * Reads the intent of a user's sentence, in any language of the training messages (packages/bench/data/messages). `null` for all
 * sentences that do not surely have one.
 *
 * @throws ModelError on first use if the packaged model is missing or damaged
 * @example
 * readIntent("you don't need to hang on to that stuff about the loan") // 'forget'
 * readIntent('please keep your replies short from now on') // 'instruct'
 * readIntent('long replies are fine again') // 'withdraw'
 * readIntent('I keep forgetting my keys') // null
 */
export function readIntent(sentence: string): Intent | null {
  if (sentence.length > MAX_LENGTH) return null
  const { thresholds } = packagedModel()
  const probabilities = probabilitiesOf(sentence)
  const isSure = (intent: Intent): boolean =>
    (probabilities[INTENTS.indexOf(intent)] ?? 0) >= thresholds[intent]
  return (['forget', 'instruct', 'withdraw'] as const).find(isSure) ?? null
}

/** The segmenter of Chinese also splits text of other languages into words. */
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' })

/** A sentence with a lower probability is hardly a request to forget, whatever verb it has. */
const MIN_REQUEST_PROBABILITY = 0.01

/** Checks whether a sentence is hardly a request to forget: 我把他的号码删了 has the verb of one. */
export function isHardlyRequest(sentence: string): boolean {
  return (probabilitiesOf(sentence)[INTENTS.indexOf('forget')] ?? 0) < MIN_REQUEST_PROBABILITY
}

/** Returns the words of a request to forget that name its topic. `null` if it names none, as “strike my last remark”. */
export function topicOfRequest(sentence: string): string | null {
  const { requestTerms } = packagedModel()
  const isTopic = ({ segment, isWordLike }: Intl.SegmentData): boolean => {
    const terms = isWordLike === true ? findTerms(segment) : []
    return terms.length > 0 && !terms.some((term) => requestTerms.has(term))
  }
  const words = [...WORDS.segment(sentence)].filter(isTopic).map(({ segment }) => segment)
  return words.length === 0 ? null : words.join(' ')
}
