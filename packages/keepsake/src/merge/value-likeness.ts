// Compares values under opposed keys, such as likes and dislikes, by meaning: “likes films” contradicts “dislikes movies”.
import {
  type EmbeddingModel,
  ModelError,
  compareValues,
  cosine,
  findTermsAgain,
  opposedKeys,
  readValue,
} from '@keepsake/text'
import { compareToFact } from '../facts/fact-lookup.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { embedCached } from '../models/embed-cached.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { Engine } from '../work/engine.ts'
import type { ScopeView } from '../work/scope-view.ts'
import { knownFacts, type ValueMatcher } from './merge-facts.ts'

/** Everyday synonyms, which word vectors miss (aubergine, eggplant: cosine 0) and a thesaurus overdoes (hike, hitch). */
const SYNONYMS: readonly (readonly string[])[] = [
  ['aubergine', 'eggplant'],
  ['coriander', 'cilantro'],
  ['courgette', 'zucchini'],
  ['rocket salad', 'arugula'],
  ['chips', 'french fries', 'fries'],
  ['film', 'movie'],
  ['cinema', 'going to the cinema', 'going to the movies'],
  ['cycling', 'biking', 'riding a bike', 'riding my bike', 'bike riding'],
  ['hiking', 'hikes', 'going hiking', 'going for hikes'],
  ['autumn', 'fall'],
  ['rain', 'rainy days', 'rainy weather'],
  ['snow', 'snowy days', 'snowy weather'],
  ['horror films', 'horror movies', 'scary films', 'scary movies'],
  ['flying', 'travelling by plane', 'traveling by plane', 'air travel'],
  ['getting up early', 'early mornings', 'early starts'],
  ['crowds', 'crowded places'],
  ['爬山', '登山'],
  ['番茄', '西红柿'],
  ['土豆', '马铃薯', '洋芋'],
  ['香菜', '芫荽'],
  ['菠萝', '凤梨'],
  ['红薯', '地瓜', '番薯'],
  ['玉米', '苞米', '包谷'],
  ['骑车', '骑自行车', '骑单车'],
  ['电影', '看电影'],
  ['音乐', '听音乐'],
  ['恐怖片', '恐怖电影'],
  ['狗', '狗狗', '犬'],
  ['猫', '猫咪', '猫猫'],
  ['雨天', '下雨天', '下雨'],
  ['雪天', '下雪天', '下雪'],
  ['早起', '起得早', '起早'],
  ['坐飞机', '乘飞机', '搭飞机'],
  ['人多的地方', '拥挤的地方'],
  ['乒乓球', '乒乓'],
]

let synonymsOf: ReadonlyMap<string, readonly string[]> | undefined

function termsOf(name: string): string {
  return [...new Set(findTermsAgain(name))].sort().join(' ')
}

/** Checks whether two values are everyday names of the same thing. */
export function isSameThing(first: string, second: string): boolean {
  synonymsOf ??= new Map(SYNONYMS.flatMap((names) => names.map((name) => [termsOf(name), names] as const)))
  const names = synonymsOf.get(termsOf(first))
  return names !== undefined && names === synonymsOf.get(termsOf(second))
}

type Pair = readonly [one: string, other: string]

/** Pairs of similar things that are not the same. The threshold of an embedder lies above the similarity of all pairs. */
const CALIBRATION_PAIRS: Readonly<Record<PromptLanguage, readonly Pair[]>> = {
  en: [
    ['red wine', 'white wine'],
    ['green tea', 'black tea'],
    ['summer', 'winter'],
    ['spicy food', 'sweet food'],
    ['coffee', 'tea'],
    ['cats', 'dogs'],
    ['football', 'basketball'],
    ['horror films', 'romantic films'],
    ['early mornings', 'late nights'],
    ['the sea', 'the mountains'],
    ['classical music', 'pop music'],
    ['apples', 'pears'],
    ['swimming', 'diving'],
    ['big cities', 'small towns'],
    ['milk chocolate', 'dark chocolate'],
    ['maths', 'physics'],
    ['salmon', 'tuna'],
    ['blue', 'green'],
    ['green tea', 'tea'],
    ['cheesecake', 'cheese'],
    ['big dogs', 'dogs'],
    ['iced coffee', 'coffee'],
    ['folk music', 'music'],
  ],
  zh: [
    ['红茶', '绿茶'],
    ['红酒', '白酒'],
    ['夏天', '冬天'],
    ['咖啡', '茶'],
    ['猫', '狗'],
    ['足球', '篮球'],
    ['恐怖片', '爱情片'],
    ['早起', '熬夜'],
    ['大海', '高山'],
    ['古典音乐', '流行音乐'],
    ['苹果', '梨'],
    ['游泳', '潜水'],
    ['大城市', '小城镇'],
    ['牛奶巧克力', '黑巧克力'],
    ['数学', '物理'],
    ['甜食', '辣的'],
    ['蓝色', '绿色'],
    ['牛肉', '羊肉'],
    ['牛肉面', '牛肉'],
    ['奶茶', '茶'],
    ['冰咖啡', '咖啡'],
    ['大型犬', '狗'],
    ['民族音乐', '音乐'],
  ],
}

/** Minimum cosine of values that mean the same, by language. Infinite if the embedder cannot be trusted. */
type LikenessThreshold = Readonly<Record<PromptLanguage, number>>

/** Margin above the most similar pair, as a share of its distance to 1: a wrong deletion costs more. Chosen, not measured. */
const MARGIN = 0.1

const thresholds = new WeakMap<EmbeddingModel, Promise<LikenessThreshold>>()

/** Computes an embedder's likeness threshold once: built-in vectors get 0.93 in English, 0.90 in Chinese. @throws ModelError */
function likenessThreshold(embedding: EmbeddingModel): Promise<LikenessThreshold> {
  const known = thresholds.get(embedding)
  if (known !== undefined) return known
  const threshold = computeThreshold(embedding).catch((error: unknown) => {
    thresholds.delete(embedding)
    throw error
  })
  thresholds.set(embedding, threshold)
  return threshold
}

async function computeThreshold(embedding: EmbeddingModel): Promise<LikenessThreshold> {
  return { en: await thresholdFor(embedding, 'en'), zh: await thresholdFor(embedding, 'zh') }
}

async function thresholdFor(embedding: EmbeddingModel, language: PromptLanguage): Promise<number> {
  const vectors = await embedding.embed(CALIBRATION_PAIRS[language].flat())
  let highest = 0
  for (let index = 0; index + 1 < vectors.length; index += 2) {
    const [first, second] = [vectors[index], vectors[index + 1]]
    if (first !== undefined && second !== undefined) highest = Math.max(highest, cosine(first, second))
  }
  // An embedder that gives a pair the same vector cannot be trusted. Rounding may make its cosine slightly less than 1.
  const hasEqualPair = highest > 1 - Number.EPSILON * 8
  return hasEqualPair ? Number.POSITIVE_INFINITY : highest + MARGIN * (1 - highest)
}

/** Compares values that may contradict each other, by the embedder or built-in vectors. Later values: by synonyms only. */
export async function matchOpposedValues(
  view: ScopeView,
  grounded: GroundedExtraction,
): Promise<ValueMatcher> {
  const values = findOpposedValues(view, grounded)
  if (values.length === 0) return isSameThing
  const { embedding, wordVectors, events } = view.engine
  try {
    return await matchByVectors(embedding, values)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    events.emit('background-failed', { error })
    return matchByVectors(wordVectors, values)
  }
}

async function matchByVectors(
  embedding: Engine['embedding'],
  values: readonly string[],
): Promise<ValueMatcher> {
  const threshold = await likenessThreshold(embedding)
  const vectors = await embedCached(embedding, values)
  const vectorOf = new Map(values.map((value, index) => [value, vectors[index]]))
  const thresholdOf = (value: string): number => threshold[/\p{Script=Han}/u.test(value) ? 'zh' : 'en']
  return (first, second) => {
    if (isSameThing(first, second)) return true
    const [firstVector, secondVector] = [vectorOf.get(first), vectorOf.get(second)]
    if (firstVector === undefined || secondVector === undefined) return false
    return cosine(firstVector, secondVector) >= Math.max(thresholdOf(first), thresholdOf(second))
  }
}

/** Of more known values under one key, only the newest are compared by meaning. */
const MAX_VALUES = 256

/** Collects the new values that may contradict others, and these others. Equal values are left out: they need no vectors. */
function findOpposedValues(view: ScopeView, grounded: GroundedExtraction): string[] {
  const { keyTable } = view.engine.preset
  const opposedTo = (id: string | null): ReadonlySet<string> => {
    const key = keyTable.get(id ?? '')
    return key === undefined ? new Set() : opposedKeys(keyTable, key)
  }
  const candidates = grounded.candidates.flatMap(({ candidate, reason }) =>
    reason === null && opposedTo(candidate.key).size > 0 ? [candidate] : [],
  )
  if (candidates.length === 0) return []
  const facts = knownFacts(view)
  const found = candidates.flatMap(({ subject, key, value, validFrom }) => {
    if (value === null) return []
    const opposed = opposedTo(key)
    const isCurrent = (fact: Pick<Memory, 'validUntil'>): boolean => !isOver(fact, validFrom)
    const known = [...opposed].flatMap((id) => facts.ofKey(subject, id).filter(isCurrent).slice(-MAX_VALUES))
    const knownOthers = known.filter((fact) => compareToFact(readValue(value), fact) !== 'same')
    const newOthers = candidates
      .filter((other) => other.subject === subject && isCurrent(other) && opposed.has(other.key ?? ''))
      .filter((other) => other.value !== null && compareValues(value, other.value) !== 'same')
    const others = [...knownOthers, ...newOthers].flatMap((other) => other.value ?? [])
    return others.length === 0 ? [] : [value, ...others]
  })
  return [...new Set(found)]
}
