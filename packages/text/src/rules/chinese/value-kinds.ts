// Checks whether a Chinese value is of its key's kind: a place, a workplace, a substance.
import { NAMED_PLACE } from '../../terms/chinese-places.ts'
import { isChineseFunctionCharacter } from '../../terms/function-words.ts'
import { cosine } from '../../vectors/cosine.ts'
import { embeddedChineseTable, segmentChinese } from '../../vectors/chinese-words.ts'
import { meanVector } from '../../vectors/mean-vector.ts'
import { normaliseVector } from '../../vectors/normalise-vector.ts'

/** Sample words of each kind. A word is of the kind if its vector is near their mean. */
const SAMPLES = {
  place: '北京 上海 成都 武汉 广州 苏州 日本 美国 四川 广东 伦敦 郊区',
  substance: '花生 青霉素 花粉 海鲜 灰尘 鸡蛋 牛奶 酒精 芒果 猫毛',
  workplace: '医院 银行 学校 工厂 公司 餐厅 超市 酒店 大学 药店 机关 报社 书店',
} as const
type Kind = keyof typeof SAMPLES

function vectorOf(word: string): Float32Array | null {
  const { rows, bytes, dimensions } = embeddedChineseTable()
  const row = rows.get(word)
  if (row === undefined) return null
  return normaliseVector(Float32Array.from(bytes.subarray(row * dimensions, (row + 1) * dimensions)))
}

const means = new Map<Kind, Float32Array>()

function meanOf(kind: Kind): Float32Array {
  const known = means.get(kind)
  if (known !== undefined) return known
  const mean = meanVector(SAMPLES[kind].split(' ').flatMap((word) => vectorOf(word) ?? []))
  means.set(kind, mean)
  return mean
}

/** Returns the cosine of a word and a kind, from -1 to 1. Returns `null` if the packaged table does not have the word. */
function likenessTo(kind: Kind, word: string): number | null {
  const vector = vectorOf(word)
  return vector === null ? null : cosine(meanOf(kind), vector)
}

const LATIN_NAME = /^\p{Lu}[\p{L}\p{N} .'’&-]+$/u
/** Matches words for a position (inside, beside) at the end of a value. They name no place by themselves. */
const POSITION_END = /(?:里面|里|上|那边|这边|附近|旁边|对面|中间|中|下)$/u
/** Matches the last character of names of provinces, towns, streets and buildings: 江苏省, 中山路. */
const SETTLEMENT_END = /[省市区县镇乡村屯路街巷弄里苑城楼号栋村岛湾庄]$/u
/** Matches the last word of names of organisations: 银行, 工作室. */
const ORGANISATION_END =
  /(?:公司|集团|[厂店院校所局社行部司馆厅楼吧铺坊园]|中心|事务所|工作室|大学|中学|小学|机构|单位)$/u

/** Returns the last word of a value. Returns `null` if the value ends in a name that no dictionary has: 滨江, 腾讯. */
function lastWord(value: string): string | null {
  const words = segmentChinese(value)
  const [last = '', before = ''] = words.slice(-2).reverse()
  const isName = last.length === 1 && before.length === 1 && !isChineseFunctionCharacter(last)
  return isName ? null : last
}

/** Minimum likeness of a word to a kind. */
const MIN_LIKENESS = { place: 0.25, workplace: 0.3, substance: 0.05 } as const
/** The likeness of a place to live to places of work may exceed its likeness to places by at most this much. */
const MAX_WORKPLACE_LEAD = 0.1

function isPlaceNoun(word: string): boolean {
  const likeness = likenessTo('place', word) ?? -1
  return (
    likeness >= MIN_LIKENESS.place && likeness >= (likenessTo('workplace', word) ?? -1) - MAX_WORKPLACE_LEAD
  )
}

function isPlace(value: string): boolean {
  if (LATIN_NAME.test(value) || NAMED_PLACE.test(value)) return true
  const placeName = value.replace(POSITION_END, '')
  if (
    /[了着过]|\p{Script=Han}{2}[上里]\p{Script=Han}$|之[中下]$|^[新旧另别](?!.*[省市县区镇乡村])/u.test(
      placeName,
    )
  )
    return false
  if (SETTLEMENT_END.test(placeName) && placeName.length > 1) return true
  const word = lastWord(placeName)
  return word === null || isPlaceNoun(word) || isPlaceNoun(value)
}

/** Matches organisations without a name: 一家公司, 外地, 这家店. */
const UNNAMED =
  /^(?:[一某这那][家个所间]|自己|别人|现在的|原来的|新)?(?:的)?(?:公司|单位|地方|店|厂|机构|家|外面|外地|里面|一起|下面|上面)[里]?$/u

/** Matches a verb before 人 in names for people by what they do: 干饭 of 干饭人. It is no origin. */
const DOERS = /^[干打追搬躺跑写做买卖养爱等熬早晚卷混摸刷磕嗑逃寻][^县市镇乡]$|[内外]$/u

function isWorkplace(value: string): boolean {
  if (UNNAMED.test(value) || /^[我你他她它]/u.test(value)) return false
  if (LATIN_NAME.test(value)) return true
  const placeName = value.replace(POSITION_END, '')
  const word = lastWord(placeName)
  if (word === null || (ORGANISATION_END.test(placeName) && placeName.length > 1)) return true
  // A company may have a common word as its name (字节), but no name ends in a position: 网上.
  return (
    (likenessTo('workplace', word) ?? -1) >= MIN_LIKENESS.workplace ||
    (placeName === value && !NO_PLACE.test(value))
  )
}

/** Matches words for when or how a person works, which name no place. */
const NO_PLACE = /[天晚早夜班家]$|努力|认真|的$/u

/** Reports whether a person can be allergic to a value. An allergy to Mondays is a joke. A word without a vector may be a substance. */
function isSubstance(value: string): boolean {
  if (/(?:周|星期|礼拜)[一二三四五六日天末]|早[八九]|^钱$/u.test(value)) return false
  const word = lastWord(value)
  return word === null || (likenessTo('substance', word) ?? 1) >= MIN_LIKENESS.substance
}

/** Matches ailments that are named in jest. */
const IN_JEST = /公主病|王子病|懒癌|懒病|穷病|相思病|拖延症|恐惧症|中二病|直男癌|综合[症征]$/u

/** Matches words that name no particular thing: 东西, 好多. */
const VAGUE =
  /^(?:[一两几]?(?:门|些|个|种|项)?(?:新的?|别的|其他的?|各种|好多|很多|什么)|[这那]|东西|事情?$)/u

/**
 * Reports whether a value is of the kind that its key requires: a place for a residence, an organisation for an employer, and a particular
 * thing for what is learnt or liked. Idioms then state nothing: 我活在梦里, 搬到沙发上.
 */
export function isOfKind(key: string, value: string): boolean {
  if (value === '*') return true
  // A value that ends in a negation was taken from a denial: 花生不 of 对花生不过敏.
  if (/[不没别]$/u.test(value)) return false
  switch (key) {
    case 'residence':
      return isPlace(value) && !/(?:朋友|同学|同事|别人|人|亲戚)家$|^(?:酒店|宾馆)$/u.test(value)
    case 'origin':
      return isPlace(value) && (NAMED_PLACE.test(value) || !DOERS.test(value))
    case 'occupation':
      return !/(?:打工|搬砖|工具)人$/u.test(value)
    case 'employer':
      return isWorkplace(value)
    case 'allergies':
      return isSubstance(value)
    // A dictionary word after 小 is a pet word: 小公主, 小可爱.
    case 'name':
      return !/^小\p{Script=Han}{2}$/u.test(value) || segmentChinese(value.slice(1)).length > 1
    case 'age':
      return !/[百千万]|\d{3}/u.test(value)
    case 'health':
      return !IN_JEST.test(value)
    case 'learning':
    case 'likes':
    case 'dislikes':
    case 'hobbies':
    case 'fears':
      return !VAGUE.test(value)
    default:
      return true
  }
}
