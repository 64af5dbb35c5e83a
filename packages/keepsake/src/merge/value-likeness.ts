import { type EmbeddingModel, ModelError, cosine, findTermsAgain } from '@keepsake/text'
import { embedCached } from '../models/embed-cached.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { Engine } from '../work/engine.ts'

/**
 * Everyday synonyms. Word vectors miss them (an aubergine and an eggplant lie at 0), and a thesaurus equates too
 * much: a hike and a hitch.
 */
const GROUPS: readonly (readonly string[])[] = [
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

let groupOf: ReadonlyMap<string, readonly string[]> | undefined

function termsOf(name: string): string {
  return [...new Set(findTermsAgain(name))].sort().join(' ')
}

/** Returns all everyday names of a value; none if it has only one. */
function namesOf(value: string): readonly string[] {
  groupOf ??= new Map(GROUPS.flatMap((names) => names.map((name) => [termsOf(name), names] as const)))
  return groupOf.get(termsOf(value)) ?? []
}

/** Checks whether two values are everyday names of the same thing. */
export function isSameThing(first: string, second: string): boolean {
  const names = namesOf(first)
  return names.length > 0 && names === namesOf(second)
}

type Pair = readonly [one: string, other: string]

/** Similar things that are not the same. The similarity threshold of an embedder is computed from these pairs. */
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

/** Least cosine at which two values mean the same, by the language of the values; above 1 where none can be trusted. */
export type ContradictionThreshold = Readonly<Record<PromptLanguage, number>>

/** Distance of the threshold from the most similar pair, towards identity: a wrong deletion costs more than a missed one. */
const MARGIN = 0.1

const thresholds = new WeakMap<EmbeddingModel, Promise<ContradictionThreshold>>()

/**
 * Computes an embedder's similarity threshold, once per model, because embedders use their range differently. The
 * built-in vectors get 0.93 in English and 0.90 in Chinese.
 *
 * @throws ModelError when the embedder fails; it is called again the next time
 */
function contradictionThreshold(embedding: EmbeddingModel): Promise<ContradictionThreshold> {
  const known = thresholds.get(embedding)
  if (known !== undefined) return known
  const threshold = thresholdOf(embedding).catch((error: unknown) => {
    thresholds.delete(embedding)
    throw error
  })
  thresholds.set(embedding, threshold)
  return threshold
}

async function thresholdOf(embedding: EmbeddingModel): Promise<ContradictionThreshold> {
  const [en, zh] = [await leastOf(embedding, 'en'), await leastOf(embedding, 'zh')]
  return { en, zh }
}

async function leastOf(embedding: EmbeddingModel, language: PromptLanguage): Promise<number> {
  const vectors = await embedding.embed(CALIBRATION_PAIRS[language].flat())
  let likest = 0
  for (let index = 0; index + 1 < vectors.length; index += 2) {
    const [first, second] = [vectors[index], vectors[index + 1]]
    if (first !== undefined && second !== undefined) likest = Math.max(likest, cosine(first, second))
  }
  // An embedder that equates tea and coffee cannot be trusted.
  return likest > 1 - Number.EPSILON * 8 ? Number.POSITIVE_INFINITY : likest + MARGIN * (1 - likest)
}

export type IsAlike = (one: string, other: string) => boolean

const HAN = /\p{Script=Han}/u

/**
 * Compares values by the memory's embedder and its threshold. Computed before decisions, since embedding is
 * asynchronous; later values compare by name. Falls back to the built-in vectors.
 */
export async function likenessOf(
  { embedding, wordVectors, events }: Pick<Engine, 'embedding' | 'wordVectors' | 'events'>,
  values: readonly string[],
): Promise<IsAlike> {
  if (values.length === 0) return isSameThing
  try {
    return await likenessBy(embedding, values)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    events.emit('background-failed', { error })
    return likenessBy(wordVectors, values)
  }
}

async function likenessBy(embedding: EmbeddingModel, values: readonly string[]): Promise<IsAlike> {
  const threshold = await contradictionThreshold(embedding)
  const texts = [...new Set(values)]
  const vectors = await embedCached(embedding, texts)
  const read = new Map(
    texts.map((text, i) => [text, { vector: vectors[i], least: threshold[HAN.test(text) ? 'zh' : 'en'] }]),
  )
  const areAlike = (first: ReadText | undefined, second: ReadText | undefined): boolean =>
    first?.vector !== undefined &&
    second?.vector !== undefined &&
    cosine(first.vector, second.vector) >= Math.max(first.least, second.least)
  return (first, second) => isSameThing(first, second) || areAlike(read.get(first), read.get(second))
}

interface ReadText {
  readonly vector: Float32Array | undefined
  readonly least: number
}
