// Compares values under opposed keys, such as likes and dislikes, by meaning: “likes films” contradicts “dislikes movies”.
import { cosine, findTermsAgain } from '@keepsake/text'
import type { Engine } from '../work/engine.ts'

/** Checks whether two values mean the same. */
export type ValueMatcher = (one: string, other: string) => boolean

/** Everyday synonyms. Word vectors miss them (cosine 0 for aubergine and eggplant), and a thesaurus has too many (hike, hitch). */
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

/** Returns the sorted terms of a name as one text, so that names with the same terms are equal. */
function termsOf(name: string): string {
  return [...new Set(findTermsAgain(name))].sort().join(' ')
}

/** Checks whether two values are everyday names of the same thing. */
export function isSameThing(first: string, second: string): boolean {
  synonymsOf ??= new Map(SYNONYMS.flatMap((names) => names.map((name) => [termsOf(name), names] as const)))
  const names = synonymsOf.get(termsOf(first))
  return names !== undefined && names === synonymsOf.get(termsOf(second))
}

/**
 * Minimum cosine of two values that mean the same, for the built-in word vectors. It is 0.1 above the cosine of similar
 * things, such as red and white wine, because a wrong deletion costs more than a missed one.
 */
const MIN_COSINE = { latin: 0.9295, han: 0.8971 } as const

/** Returns a test for values that mean the same, by synonyms and the built-in word vectors. */
export function matchValues({ wordVectors }: Pick<Engine, 'wordVectors'>): ValueMatcher {
  return (first, second) => {
    if (isSameThing(first, second)) return true
    const isHan = [first, second].every((value) => /\p{Script=Han}/u.test(value))
    const similarity = cosine(wordVectors.embedNow(first), wordVectors.embedNow(second))
    return similarity >= (isHan ? MIN_COSINE.han : MIN_COSINE.latin)
  }
}
