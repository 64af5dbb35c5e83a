// Divides a Chinese sentence into the clauses that the rules match. Leaves out questions, hypotheses and words of other people.
import { CHINESE_CITIES, CHINESE_PROVINCES } from '../../terms/chinese-places.ts'
import { segmentChinese } from '../../vectors/chinese-words.ts'
import { KNOWN_BY_KIN } from '../../attribution/find-reported.ts'
import { isOwnLead } from '../../attribution/own-leads.ts'
import { goOnAbout, type GoingOn } from '../matching/go-on-about.ts'
import type { Clause } from '../matching/language.ts'
import { isMark, wordsToText, type Word } from '../matching/word.ts'
import { charactersOf, chinese } from './chinese.ts'
import { withDroppedSubject, withPauses } from './spoken-forms.ts'

/** A span of a sentence and the mark after it. */
interface Segment {
  readonly words: readonly Word[]
  readonly mark: string
}

/**
 * Returns the clauses in which a Chinese sentence states facts about its speaker.
 * Questions, hypotheses, reported speech and instructions to the listener are left out.
 *
 * @param before the preceding sentence, whose subject this one may continue
 */
export function readClauses(sentence: string, before: string | null): Clause[] {
  // Treats a dash as a colon: 小细节——我….
  const marked = withMarks(sentence)
  const paused = withDroppedSubject(beginsOwn(marked) ? withPauses(marked) : marked, before)
  const clause = withDroppedPlan(withSubjectOf(withIntroduction(paused), before))
  const whole = goOnAbout(clause, before, AROUND).replace(/[—–]{2}/g, '：')
  const segments = MINE.test(whole) && whole.length <= LONGEST_SENTENCE ? segmentsOf(charactersOf(whole)) : []
  if (segments.some(({ words }) => isTag(words, 0))) return []
  const wordsBefore = before === null ? [] : charactersOf(before)
  const firstSupposed = segments.findIndex(({ words }) => supposes(words) && !guesses(words, 0))
  return segments.slice(0, firstSupposed < 0 ? segments.length : firstSupposed).flatMap((segment, i) => {
    const { words } = segment
    const subject = segments
      .slice(0, i)
      .findLast((one) => !keepsSubject(one.words, 0) && !isIntroduced(one.words, 0))
    const dropped = subject === undefined ? '' : droppedSubject(words, subject.words)
    const clause = ownClause([...charactersOf(dropped), ...words])
    if (clause === null || !states(segment, segments[i - 1], segments[i + 1])) return []
    return [
      { ...clause, before: i === 0 ? wordsBefore : segments.slice(0, i).flatMap((segment) => segment.words) },
    ]
  })
}

/** Returns the words that a clause leaves out because it continues one about the speaker: 我叫小峰，28岁，电工. */
function droppedSubject(words: readonly Word[], before: readonly Word[]): string {
  if (!isOneself(before, 0) || wishes(before)) return ''
  if (keepsSubject(words, 0)) return '我'
  if (!introduces(before, 0) || !isIntroduced(words, 0)) return ''
  if (isAge(words, 0)) return '我今年'
  return isJob(words, 0) ? '我是' : '我'
}

/** Matches the number of a list item: 1、…, ②…. */
const ITEM = /(?:(?<=^|\s|[，。；])\d{1,2}[、.．)）]|[①-⑳])\s{0,2}(?=\p{Script=Han})/gu
/** Matches a conjunction that begins a clause within a sentence: 我对海鲜过敏所以不行. */
const CONJUNCTION =
  /(?<=\p{Script=Han}{4})(?=(?:所以|但是|可是|而且)\p{Script=Han})|(?<=\p{Script=Han}{3}了)(?=还是)/gu

/** Matches the conjunction before a second pet with a name: 我养了一只猫叫芝麻和一只狗叫大黄. */
const NAMED_TOO =
  /(?<=我.{0,4}(?:养了?|有)[一两]?[只条]\p{Script=Han}{1,6}叫\p{Script=Han}{1,4}?)(?:和|，)(?=[一两]?[只条]\p{Script=Han}{1,4}叫)/u

/** Matches the source of a finding about the speaker: 医生说 of 医生说我对虾不过敏. It is removed, since the finding is a fact. */
const FINDING =
  /(?<=^|[，,。！!；;])\p{Script=Han}{0,4}?(?:医生|大夫|牙医|护士|检查|复查|体检|皮试|化验)(?:结果|报告)?(?:说|讲|告诉我|确认|确诊|诊断|查出|显示|发现)[，,]?(?=我(?!们|爸|妈|的))/gu
/** Matches a home before an occupation: 我是住在厦门的画家. */
const HOME_BEFORE =
  /(?<=^|[，,。！!；;])我是(?:一?[名个位])?(住在?|居住在|定居在?|常驻|来自)(\p{Script=Han}{2,5}?)的(?:一?[名个位])?(?=\p{Script=Han}{2,6}(?:$|[，,。！!；;]))/u
/** Matches a place of work before an occupation: 我是一名在厦门工作的护士. */
const WORK_BEFORE =
  /(?<=^|[，,。！!；;])我是(?:一?[名个位])?(?<work>在\p{Script=Han}{2,8}(?:工作|上班|打工))的(?:一?[名个位])?(?=\p{Script=Han}{2,6}(?:$|[，,。！!；;]))/u
/** Matches a home or origin behind an occupation, without a subject: 我是护士，老家梧州，现在住厦门. */
const HOME_BEHIND =
  /(?<=^我(?:是|做|当)[^，,。我]{2,10}[，,](?:[^，,。我住]{2,8}[，,])?\s?)(?:老家|(?:现在|目前)?(?:住在?|人在|坐标|现居|定居在?|常住))(?=\p{Script=Han}{2,6}(?:$|[，,。！!；;]))/gu
/** Matches a new name: 我改名叫雨桐了, 我改名了，现在叫雨桐. */
const RENAMED =
  /(?<=^|[，,。！!；;])我(?:已经|刚|最近|去年|正式)*(?:改了?名字?(?:了[，,！!。]\s?(?:以后|现在|新名字|就)*)?|把名字改)(?:叫|是|为|成)(?<name>\p{Script=Han}{2,4}?|\p{Script=Latin}+)了?(?=$|[，,。！!；;])/gu

/** Inserts marks where they are missing, since many writers separate clauses by a space or not at all. */
function withMarks(sentence: string): string {
  if (sentence.length > LONGEST_SENTENCE) return sentence
  const marked = sentence
    .replaceAll(
      /(?<=[\p{L}\p{N}]\s*)(?:\p{Extended_Pictographic}[\uFE0F\u200D]*)+(?=\s*[\p{L}\p{N}])/gu,
      '，',
    )
    .replaceAll(/(?:\p{Extended_Pictographic}[\uFE0F\u200D]*)+/gu, '')
    .replace(/^\d{1,2}[:：]\d\d\s{1,3}(?=我)/u, '')
    .replace(/^(?:(?:请|麻烦)[你您]?)?(?:帮我)?记(?:住|得|一下|下)(?=我)/u, '$&，')
    .replace(NAMED_TOO, '，我养了')
    .replace(FINDING, '')
    .replace(KNOWN_BY_KIN, '')
    .replace(
      HOME_BEFORE,
      (_, verb: string, place: string) => `我${verb === '来自' ? verb : '住在'}${place}，我是`,
    )
    .replace(WORK_BEFORE, '我$<work>，我是')
    .replaceAll(HOME_BEHIND, (lead: string) =>
      /老家|来自/.test(lead) ? `我${lead.replace(/^老家$/, '老家在')}` : '我住在',
    )
    .replace(RENAMED, '我叫$<name>')
    .replace(ITEM, (_, index: number) => (index === 0 ? '' : '，'))
    .replace(CONJUNCTION, '，')
    .replace(/我(?:自己|本人)(?=[住搬对是叫在也不有爱喜姓])|(?<=^|[，,。！!])本人(?!的|都)/gu, '我')
  const parts = marked.split(/(?<=[\p{Script=Han}A-Za-z]) {1,2}(?=\p{Script=Han})/u)
  return parts.length > 1 && parts.slice(0, -1).every((part) => isOwnPart(part)) ? parts.join('，') : marked
}

/** Reports whether the text before the first space is about the speaker. In 王小明 我住在里昂 it is not. */
function beginsOwn(sentence: string): boolean {
  return isOwnPart(/^[^ \t\u3000]+/u.exec(sentence)?.[0] ?? '')
}

/** Reports whether a part before a space is a statement of the speaker, or an opener. */
function isOwnPart(part: string): boolean {
  return /^我(?![妈爸哥弟姐妹爷奶家们])[^说问喊讲]*$/u.test(part) || isOwnLead(part)
}

/** Reports whether a label introduces the speaker's own words: 更新：…, 请记住：…. Words of others were removed before. */
function leadsInToOwn(label: string): boolean {
  return (
    isOwnLead(label) ||
    /[记知][住下得道]|记一下|回答|我的情况|情况如下|[加补添]上?[这一]|再加|补充/.test(label)
  )
}

/** Reports whether a segment states something: no question, supposition, instruction or reported speech. */
function states({ words, mark }: Segment, before: Segment | undefined, after: Segment | undefined): boolean {
  if (mark === '?' || (mark === '' && endsInParticle(words)) || asks(words) || supposes(words)) return false
  if (speaksToListener(words)) return false
  const isLabelled = before !== undefined && /[：:]/.test(before.mark)
  if (isLabelled && !leadsInToOwn(wordsToText(before.words))) return false
  if (before !== undefined && !isLabelled && reports(before.words) && !isOwn(before.words)) return false
  // Ignores a comma inside the description of a later noun: 一个风景优美，空气清新的地方.
  return !(mark === ',' && after !== undefined && counts(words) && modifies(after.words, 0))
}

/** Returns the clause from 我 on. A time before 我 is moved after it, as patterns expect: 昨天我去了 → 我昨天去了. */
function ownClause(segment: readonly Word[]): Clause | null {
  const words = segment.slice(pastOpener(segment, 0))
  if (isCalled(words, 0)) return clauseOf(words)
  if (isAtHome(words, 0)) return ownClause([...charactersOf('我'), ...words])
  const start = pastTime(words, 0)
  if (words[start]?.text !== '我' || words.length > LONGEST_CLAUSE) return null
  const verb = words[start + 1]?.text === '们' ? start + 2 : start + 1
  const clause = [...words.slice(start, verb), ...words.slice(0, start), ...words.slice(verb)]
  return clauseOf(clause)
}

function clauseOf(words: readonly Word[]): Clause {
  return { words, said: words, time: [], before: [], state: 'holds', isDoubted: false }
}

/** Adds the subject to a sentence that continues one about the speaker: 我换工作了。现在在苏州的公司当总监。 */
function withSubjectOf(sentence: string, before: string | null): string {
  if (before === null || !/^[现目如今已在养对刚]/.test(sentence) || sentence.includes('我')) return sentence
  if (!goesOn(charactersOf(sentence), 0)) return sentence
  const segments = segmentsOf(charactersOf(before))
  const isAboutSpeaker =
    segments.every(({ words, mark }) => mark !== '?' && !isOfAnother(words)) &&
    segments.some(({ words }) => isOneself(words, 0))
  return isAboutSpeaker ? `我${sentence}` : sentence
}

/** Matches facts after the name in an introduction: age, work, studies, home. */
const TELLS_MORE = String.raw`(?=[，,]\s*(?:今年|现年|在|刚|大[一二三四]|研[一二三]|来自|[是学做住]|老家|\d|[二三四五六七八九]?十))`
const INTRODUCES = new RegExp(String.raw`^我是(?<name>\p{Script=Han}{3,4})${TELLS_MORE}`, 'u')
const isFullName = chinese.test('<full>。')
/** Matches a two-character name with facts directly after it: 我是小满，广西的. */
const INTRODUCES_BRIEFLY = new RegExp(
  String.raw`^(?<lead>[^，,。]{0,4}[，,。！!]\s*)?我是(?<name>\p{Script=Han}{2})(?=[，,]\s*(?:今年|现年|来自|老家|\d\d|[二三四五六七八九]?十|(?:${CHINESE_PROVINCES.replaceAll(/\s+/g, '')}|${CHINESE_CITIES.replaceAll(/\s+/g, '')})\p{Script=Han}{0,3}[的人]))`,
  'u',
)
const isGivenName = chinese.test('!(_* <being>。)_ _。')
/** Matches a name after 叫我, such as 叫我雪琴. A dictionary word is no name: 叫我起床. */
const CALL_ME = /^(?:[你您]?(?:可以|就)?)叫我(?<name>\p{Script=Han}{2,3})(?=[，,。！!]|$)/u

function callMe(clause: string, name: string): string {
  return segmentChinese(name).every(({ length }) => length === 1) && isGivenName(charactersOf(name), 0)
    ? `叫我${name}就行`
    : clause
}
/** Matches a surname followed by the full name: 我姓顾，顾怀远. */
const SURNAME_FIRST =
  /我(?:免贵)?姓(?<surname>\p{Script=Han}{1,2})[，,\s]+(?:名?叫|全名)?(?<name>\k<surname>\p{Script=Han}{1,2})(?=[，,。！!\s]|$)/u

/** Rewrites an introduction as a statement of the name: 我是贺东川，刚搬来. */
function withIntroduction(clause: string): string {
  const sentence = clause.replace(SURNAME_FIRST, '我叫$<name>').replace(CALL_ME, callMe)
  const given = INTRODUCES_BRIEFLY.exec(sentence)?.groups?.['name']
  if (given !== undefined && segmentChinese(given).length === 2 && isGivenName(charactersOf(given), 0))
    return sentence.replace(INTRODUCES_BRIEFLY, '$<lead>我叫$<name>')
  const name = INTRODUCES.exec(sentence)?.groups?.['name']
  // Rejects values that begin with a word of several characters: 高中生, 金融系.
  if (name === undefined || segmentChinese(name)[0]?.length !== 1) return sentence
  return isFullName(charactersOf(name), 0) ? sentence.replace(INTRODUCES, `我叫${name}`) : sentence
}

const DROPPED =
  /(?<=^|[，,。！!；;：:\s唉哎啊呀哦嗯])(?<where>[^我你您他她它谁们，,。！!？?；;：:\s]{2,6}?)(?:(?:暂时|最后|还是|又)?(?:不去|去不了|去不成)了|的?(?:计划|行程|旅行|旅游|之行)(?:取消|泡汤|作罢|黄)了)/u

/** Adds the subject to a dropped plan: 苏州不去了, 大理的计划取消了. */
function withDroppedPlan(sentence: string): string {
  return sentence.replace(DROPPED, '我不去$<where>了')
}

/** Renders a clause in the third person. */
export function sayInThirdPerson({ said }: Clause, who: string): string {
  const text = wordsToText(said).replace(/^我们(?=[有养家村镇县])/u, '我')
  const rest = text
    .replace(/^我们?/, '')
    .replace(/我们/g, '他们')
    .replace(/我/g, '自己')
  return `${text.startsWith('我们') ? `${who}和别人` : who}${rest}。`
}

function segmentsOf(words: readonly Word[]): Segment[] {
  const ends = [
    ...words.flatMap((word, i) => (isMark(word) && !isInTitle(words, i) ? [i] : [])),
    words.length,
  ]
  const segments = ends.flatMap((end, i) => {
    const from = (ends[i - 1] ?? -1) + 1
    return from < end ? [{ words: words.slice(from, end), mark: words[end]?.lower ?? '' }] : []
  })
  return segments.flatMap((segment, index) => {
    if (index > 0 && isNamed(segments[index - 1], segment)) return []
    const next = segments[index + 1]
    if (next === undefined || !isNamed(segment, next)) return [segment]
    const named = next.words.slice(next.words.findIndex(({ text }) => text === '叫'))
    return [{ words: [...segment.words, ...named], mark: next.mark }]
  })
}

/** Reports whether a mark belongs to a title: 《狮子，女巫和魔衣柜》, Earth, Wind & Fire. */
function isInTitle(words: readonly Word[], at: number): boolean {
  const isBracket = ({ text }: Word): boolean => text === '《' || text === '》'
  const isOpen = words.slice(0, at).findLast(isBracket)?.text === '《'
  if (isOpen && words.slice(at).find(isBracket)?.text === '》') return true
  return at > 0 && goesOnInLatin(words, at - 1)
}

/** Reports whether a name after the comma belongs to the counted noun before it: 我养了一只猫，叫团子. */
function isNamed(before: Segment | undefined, { words }: Segment): boolean {
  return before?.mark === ',' && namesIt(words, 0) && countsOne(before.words) && words.length <= 12
}

const supposes = chinese.search('<unreal>')
const guesses = chinese.test('[你|您](可能|也许|大概|应该)')
const asks = chinese.search('什么|怎么|怎样|如何|谁|哪|为何|为什么|多少|几(个|点|岁)')
const endsInParticle = chinese.search('(吗|么|嘛|呢|吧) !_')
const isTag = chinese.test('(对吗|对吧|是吗|是吧|好吗|行吗|对不对|是不是|好不好|可以吗)。')
const reports = chinese.search('(说|问|告诉[我]|回答|写道|喊|觉得|认为) !_')
/** Matches 你别说, 老实说 and similar phrases with 说, after which the speaker states something. */
const isOwn = chinese.search(
  '(别|老实|不瞒(你|您)|坦白|实话|听我|跟(你|您)|话短|来|再|简单|按理|悄悄|小声|忘|忘了|忘记|没|还没)说 !_',
)
const speaksToListener = chinese.search('你|您|妳')
const counts = chinese.search('一(个!人|位|家|种|座|条|只|部) (!的 _)*。')
const modifies = chinese.test('!(_* (我|你|他|她|它)){2..8}的{1..6}。')
const wishes = chinese.search('想|打算')
const keepsSubject = chinese.test('<kept>')
const introduces = chinese.test('<introduction>')
const isIntroduced = chinese.test('<introduced>')
const isAge = chinese.test('<years>。')
const isJob = chinese.test('<job>')
const goesOn = chinese.test('<going>')
const isOfAnother = chinese.search('<another>')
const isOneself = chinese.test('<oneself>')
const isCalled = chinese.test('<callers>*[可以|就](叫|喊)我')
const isAtHome = chinese.test('家里[还|也](有|养)|家里[的]_[_][_]<called>')
const pastOpener = chinese.end('<opener>*')
const pastTime = chinese.end('<leading> &我')

const MINE = /我|家里/
/** Matches a relative of the speaker, whom 她 or 他 may mean in the next sentence: 我妹妹…. */
const AROUND: GoingOn = {
  known:
    /我(?:的|家)?(?:有[一个位]*)?(?:(?<she>[大小二]?(?:妹妹|姐姐|妈妈|母亲|奶奶|外婆|姥姥|阿姨|姑姑|婶婶|舅妈|女儿|老婆|妻子|媳妇|女朋友|女友|表妹|表姐|堂妹|堂姐|[姐妹妈](?![妹姐妈])))|(?<he>[大小二]?(?:弟弟|哥哥|爸爸|父亲|爷爷|外公|姥爷|叔叔|舅舅|儿子|老公|丈夫|男朋友|男友|表弟|表哥|堂弟|堂哥|[哥弟爸](?![哥弟爸])))|(?<either>朋友|同事|室友|同学|邻居|闺蜜|老板|孩子))/gu,
  my: '我',
  she: /^她(?!们|的|说|问|告)/u,
  he: /^他(?!们|的|说|问|告)/u,
}

/** Maximum characters of a sentence. Longer ones are lists, logs or poems without full stops. */
const LONGEST_SENTENCE = 1000
/** Maximum words of a clause. Longer ones are run-on sentences. */
const LONGEST_CLAUSE = 50
const goesOnInLatin = chinese.test('CAPITAL , [_] CAPITAL ([_] [_] CAPITAL)* (。|,|;)')
const namesIt = chinese.test('[它|他|她]的*[名字](叫做|叫)!(_* (了|我|你|他|她|它|来|去|给|着|得|起|人|做))_')
const countsOne = chinese.search('(一|个|只|条|位)')
