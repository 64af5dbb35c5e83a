import { findTerms } from '@keepsake/text'

/**
 * Things with two everyday names, each group one thing. Word vectors do not see it (爬山 and 登山 lie at 0.18, an aubergine and an
 * eggplant at 0), and a thesaurus calls too much the same: it has a hike for a hitch and a cat for a pet.
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

/** Returns the stems, ignoring order, articles and endings. */
function termsOf(name: string): string {
  return [...new Set(findTerms(name))].sort().join(' ')
}

/** All everyday names of what a value names; none where it has but one. */
export function namesOf(value: string): readonly string[] {
  groupOf ??= new Map(GROUPS.flatMap((names) => names.map((name) => [termsOf(name), names] as const)))
  return groupOf.get(termsOf(value)) ?? []
}

/** Checks whether two values are everyday names of the same thing. */
export function isSameThing(one: string, other: string): boolean {
  const names = namesOf(one)
  return names.length > 0 && names === namesOf(other)
}
