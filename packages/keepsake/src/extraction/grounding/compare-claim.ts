// Compares who did something, whether they did, and how much.
import { findTerms, isEnglishFunctionWord, readTimeRanges, relatedTerms } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { languageOf, open, textOf, type Difference, type Talk } from './difference.ts'
import type { Quoted } from './find-doubts.ts'
import { DAY_MS, hasHan, isUserWord } from './find-unsupported.ts'
import { readQuantities } from './read-quantities.ts'
import words from './claims.json' with { type: 'json' }

/** Compares the person, negation and degree of a statement with what was said, in English and Chinese. */
export function compareClaim(candidate: Candidate, said: Talk): (Difference | null)[] {
  const isRead = languageOf(candidate.text) !== 'other'
  return isRead
    ? [comparePerson(candidate, said), comparePolarity(candidate, said), ...compareDegree(candidate, said)]
    : []
}

/** Words for people by their relation, grouped by kind. */
const RELATIONS = words.relations
/** Maps each word for a person to its kind. */
export const RELATION_OF = new Map(
  RELATIONS.flatMap((words, index) => words.map((word) => [word, index] as const)),
)
const CHINESE_RELATIONS = [...RELATION_OF.keys()]
  .filter((word) => hasHan(word))
  .toSorted((a, b) => b.length - a.length)
const CHINESE_RELATION = new RegExp(CHINESE_RELATIONS.join('|'), 'gu')

/** Returns the kinds of people that a text names by their relation, in order. */
function relationsIn(text: string): number[] {
  const english = (text.toLowerCase().match(/[a-z]+(?:-in-law)?/g) ?? []).flatMap((word) => {
    const relation = RELATION_OF.get(word) ?? RELATION_OF.get(word.replace(/s$/, ''))
    return relation === undefined ? [] : [relation]
  })
  const chinese = (text.match(CHINESE_RELATION) ?? []).flatMap((word) => RELATION_OF.get(word) ?? [])
  return [...english, ...chinese]
}

/** Match the subjects of statements and clauses. */
const OF_AGENT = /^(?:the )?(?:agent|assistant)\b|^(?:助手|助理)/iu
const SECOND_PERSON = /\b(?:you|your|yours|you['’]\w+|u|ur)\b|[你您]/i
const FIRST_PERSON_SUBJECT =
  /\b(?:i|i['’]?m|i['’]?ve|i['’]?d|i['’]?ll|im|ive|we|we['’]?\w{0,2})\b|(?<![给跟和对比让叫教帮找陪替被把说嫌骂夸劝]|怀疑|觉得|认为|希望|建议)[我咱俺](?!们?的|们?家[的里]?|[爸妈爷奶哥姐弟妹叔姑姨舅公婆]|老[公婆爸妈板师弟妹]|男|女|儿|闺|对象|前|室友|同事|朋友|邻居)/i
const OTHERS_SUBJECT =
  /^[^\p{L}]*(?:(?:only|even|just|and|so|but|well|oh|then|because|since|cos|plus|also|apparently|turns out|yeah|yes|no|ok|okay|ugh|god)[\s,]+)*(?:his|her|their|he|she|they)(?:['’]\w+)?\b|^[^\p{L}]*(?:昨晚?|今早?|上周|刚才?|后?来)?天?[他她]/iu
const OF_SPEAKER =
  /^[^\p{L}]*(?:\w+[\s,]+){0,2}?(?:my|our)\s+(?:(?:own|dear|little|big|old|new|best|younger|older|late|eldest|youngest)\s+)*|^[^\p{L}]*(?:我|咱|俺)(?:们|家)?的?/iu

const CLAUSE =
  /[.!?;:。！？；：…\n—–]+|,\s|，|\s-\s|\s*\b(?:but|though|although|whereas|while|and)\b\s*|但是?|不过|可是?(?=[我他她])|而且/iu

/** Returns the clauses of a turn that a quote touches; all without a quote. */
function clausesOf({ turn, quote }: Quoted): string[] {
  const text = turn.text
  const start = quote === null ? 0 : Math.max(0, text.indexOf(quote))
  const end = quote === null ? text.length : start + quote.length
  const found: string[] = []
  let from = 0
  for (const clause of text.split(CLAUSE)) {
    const index = text.indexOf(clause, from)
    from = index + clause.length
    if (clause.trim() !== '' && index < end && from > start) found.push(clause)
  }
  return found
}

/** Compares whom the statement is about with whom its words are about. */
function comparePerson(candidate: Candidate, said: Talk): Difference | null {
  const stated = relationsIn(candidate.text)
  const talk = textOf(said)
  const known = new Set(relationsIn(talk))
  const unsaid = stated.find((relation) => !known.has(relation))
  if (unsaid !== undefined) return open(`there was no word of such a person: ${RELATIONS[unsaid]?.[0] ?? ''}`)
  const ofUser = said.quotes.filter(({ turn }) => turn.role === 'user')
  if (ofUser.length === 0) return null
  const clauses = ofUser.flatMap(clausesOf)
  if (
    OF_AGENT.test(candidate.text) &&
    ofUser.length === said.quotes.length &&
    !clauses.some((clause) => SECOND_PERSON.test(clause))
  )
    return open('its words are not about the agent')
  if (isOfUser(candidate, ofUser)) {
    const nearest = nearestTo(candidate.text, clauses)
    const isUnsaidOf = nearest.some((clause) =>
      relationsIn(clause).some((relation) => !stated.includes(relation)),
    )
    const subjects = nearest.map((clause) => subjectBefore(clause, ofUser))
    return isUnsaidOf ||
      subjects.includes('other') ||
      nearest.some((clause) => hasOtherBearer(clause, candidate) || startsWithNamed(clause, candidate))
      ? open('its words are about another person')
      : null
  }
  // The statement says that another person did something to the user, but the speaker did it.
  const isToUser =
    (/^(?:the )?user['’]s\b|^用户的|^(?!用户).{1,6}用户/iu.test(candidate.text) ||
      startsWithPerson(candidate.text)) &&
    /.(?:\bthe user\b(?!['’]s)|用户(?!的))/iu.test(candidate.text)
  const doers = nearestTo(candidate.text, clauses).map((clause) => subjectBefore(clause, ofUser))
  if (isToUser && doers.includes('user')) return open('its words have the speaker as their subject')
  // The statement is about another person, but all clauses are about the speaker.
  const isAboutOther = /^(?:the )?user['’]s\b|^用户的/iu.test(candidate.text) && stated.length > 0
  if (
    isAboutOther &&
    clauses.length > 0 &&
    clauses.every((clause) => relationsIn(clause).length === 0 && FIRST_PERSON_SUBJECT.test(clause))
  )
    return open('its words are about the speaker')
  const quoted = new Set(clauses.flatMap(relationsIn))
  const isOfAnother = [...quoted].some((relation) => !stated.includes(relation))
  if (isOfAnother) return open('its words are about another person')
  return null
}

/** Matches a clause about something of the speaker's: "Our cat has …", 我家猫有…. */
const OF_THING =
  /^[^\p{L}]*(?:(?:and|but|so)\s+)?(?:my|our)\s+(?:\p{L}+\s+){0,2}?(?<noun>\p{L}+)\s+(?:has|have|had|is|are|was|were|needs?|can|will|does|got|hates?|loves?|likes?|eats?|weighs?|lives?)\b|^[^\p{L}]*我们?家的?(?<named>\p{Script=Han}{1,2}?)(?=有|是|会|在|怕|不|没|得|患)/iu

/** Checks for a clause about something of the speaker's, which the statement does not name. */
function hasOtherBearer(clause: string, { text }: Candidate): boolean {
  const { noun, named } = OF_THING.exec(clause)?.groups ?? {}
  const bearer = noun ?? named
  return bearer !== undefined && !findTerms(bearer).some((term) => findTerms(text).includes(term))
}

/** Checks for a clause that begins with a name which is not the subject of the statement: "Nils lent me …", "The user lent Nils …". */
function startsWithNamed(clause: string, { text }: Candidate): boolean {
  const [name] = /^\p{Lu}[\p{L}'’-]+/u.exec(clause.trim()) ?? []
  return name !== undefined && !isEnglishFunctionWord(name.toLowerCase()) && text.indexOf(name) > 0
}

/** Checks whether a statement has the user as its subject, by a word for the user or by name. */
function isOfUser({ text, subject }: Candidate, quotes: readonly Quoted[]): boolean {
  const names = quotes.flatMap(({ turn }) => turn.speaker ?? [])
  const isNamed =
    names.includes(subject) && text.startsWith(subject) && !/^['’]s?\b|^的/.test(text.slice(subject.length))
  return isNamed || (isUserWord(text) && !/^(?:the )?user['’]s|^用户的/iu.test(text))
}

const BEGINS_WITH_SPEAKER = /^[^\p{L}]*(?:(?:and|but|so|then|also|yes|no|well)[\s,]+)*(?:i|we)\b/iu

/** Matches the findings of a doctor or a test about the speaker. */
const FOUND_OF_SPEAKER =
  /\b(?:doctor|gp|dentist|consultant|nurse|tests?|scan)\b.{0,12}\b(?:says?|said|told|found|shows?)\b|(?:医生|大夫|体检|检查).{0,4}(?:说|讲|查出|显示|结果)/i

/** Returns whom a clause is about. If it does not say, the clauses before it in the turn do. */
function subjectBefore(clause: string, quotes: readonly Quoted[]): 'user' | 'other' | null {
  const turn = quotes.find(({ turn: { text } }) => text.includes(clause))?.turn
  const before = turn === undefined ? [] : clausesOf({ turn, quote: null })
  const index = before.indexOf(clause)
  for (const precedingClause of [clause, ...before.slice(0, Math.max(0, index)).toReversed()]) {
    if (BEGINS_WITH_SPEAKER.test(precedingClause)) return 'user'
    if (FOUND_OF_SPEAKER.test(precedingClause)) return 'user'
    if (OTHERS_SUBJECT.test(precedingClause) || startsWithPerson(precedingClause)) return 'other'
    if (FIRST_PERSON_SUBJECT.test(precedingClause)) return 'user'
    // A clause of its own sentence in English needs no subject: "been sober since May".
    if (!hasHan(precedingClause)) return null
  }
  return null
}

/** Checks whether a clause begins with a person other than the speaker: "my brother", "Grandpa", 我妈. */
function startsWithPerson(clause: string): boolean {
  const rest = clause.replace(OF_SPEAKER, '').trim()
  const [first = ''] = rest.toLowerCase().split(/[^\p{L}-]+/u)
  const isName =
    /^\p{Lu}\p{Ll}+/u.test(rest) &&
    !isEnglishFunctionWord(first) &&
    relatedTerms(findTerms(first)[0] ?? '', 'en').length === 0
  return isName || RELATION_OF.has(first) || CHINESE_RELATIONS.some((word) => rest.startsWith(word))
}

/** Returns the clauses that share most words and numbers with a statement. */
function nearestTo(text: string, clauses: readonly string[]): string[] {
  const stated = new Set([...findTerms(text), ...readQuantities(text).map(({ value }) => String(value))])
  const shared = clauses.map(
    (clause) =>
      [...findTerms(clause), ...readQuantities(clause).map(({ value }) => String(value))].filter(
        (term) => stated.has(term) && !isEnglishFunctionWord(term),
      ).length,
  )
  const most = Math.max(0, ...shared)
  return clauses.filter((_, index) => shared[index] === most)
}

const NEGATION =
  /\b(?:not|no|never|none|nothing|neither|nor|without|cannot|hardly|barely|no(?:body|where))\b|n['’]t\b|\b(?:dont|doesnt|didnt|isnt|wasnt|arent|cant|wont|havent|hasnt|couldnt|wouldnt|aint)\b|不|没|无法|非(?!常)|未(?!来|婚)|别(?!人|的|墅)/i
const NO_NEGATION =
  /不过(?=[\s，,。我你他她这那也还是]|$)|不错|不仅|不但|不只|不断|不管|不论|要不|差不多|了不起|不好意思|是不是|有没有|对不对|好不好|不得了|不止|没错|no problem|no idea|not only|no matter|why not|no wonder|not bad|can['’]t wait|cant wait/giu
/** Matches words that end or refuse something, and so deny it. */
const REFUSAL =
  /\b(?:stop(?:s|ped|ping)?|quit(?:s|ting)?|gave up|given up|giving up|refus\w+|fail\w*|former\w*|ex|used to|hat(?:e|es|ed)|dislik\w+|can['’]?t stand|loath\w+|lost|lack\w*|avoid\w*|cancel\w*|end(?:ed|s)|left|no longer|any ?more|away from|skip\w*|miss(?:ed|es)?|nearly|almost|turn(?:s|ed|ing)? [^.,]{0,40}?down|declin\w+|reject\w+)\b|推掉|拒绝|婉拒|戒|不再|取消|放弃|讨厌|辞|退|以前|曾经|差点|差一点|离开/i

/** Checks for a negation. */
function isDenied(text: string): boolean {
  return NEGATION.test(text.replaceAll(NO_NEGATION, ' '))
}

const EXCEPTS = /\b(?:except|apart from|other than)\b|(?<![切删清拆解])除了/i
/** Pairs of opposite words. */
const OPPOSITES = words.opposites.map((pair) => pair.map((word) => new RegExp(word, 'i')))

function isOpposed(text: string, said: string): boolean {
  return OPPOSITES.some((pair) =>
    [pair, pair.toReversed()].some(
      ([one, other]) => one?.test(text) && !other?.test(text) && other?.test(said) && !one.test(said),
    ),
  )
}

function isNegative(text: string): boolean {
  return isDenied(text) || REFUSAL.test(text)
}

/** Returns the clauses of the quotes, and those of their turns that share most words with the statement. */
function claimedIn(candidate: Candidate, { quotes }: Talk): string[] {
  const whole = quotes.flatMap(({ turn }) => clausesOf({ turn, quote: null }))
  const nearest = nearestTo(candidate.text, whole)
  return [...new Set([...quotes.flatMap(clausesOf), ...(nearest.length < whole.length ? nearest : [])])]
}

/** Compares whether something is affirmed or denied, as a whole and by clause: "has no car and wants one". */
function comparePolarity(candidate: Candidate, said: Talk): Difference | null {
  const clauses = claimedIn(candidate, said)
  const isReversed =
    (EXCEPTS.test(clauses.join(' , ')) && !EXCEPTS.test(candidate.text)) ||
    isOpposed(candidate.text, clauses.join(' , ')) ||
    isNegative(candidate.text) !== clauses.some(isNegative) ||
    candidate.text.split(CLAUSE).some((part, _, parts) => {
      const nearest = parts.length > 1 ? nearestTo(part, clauses) : clauses
      return (
        nearest.length < clauses.length && nearest.every((clause) => isNegative(clause) !== isNegative(part))
      )
    })
  return isReversed ? open('it affirms what its words deny, or the reverse') : null
}

/**
 * Words of degree and certainty by kind. They change a statement that leaves them out (`said`), that adds them (`stated`),
 * or both (`either`).
 */
const DEGREES: readonly {
  readonly kind: string
  readonly when: 'said' | 'stated' | 'either'
  readonly words: RegExp
}[] = [
  {
    kind: 'possibility',
    when: 'said',
    words:
      /\b(?:might|(?<!(?:in|since|until|till|by|of|last|next|this|early|late|mid|from) )may(?! \d)|maybe|perhaps|possibly|probably|could|consider\w*|thinking (?:about|of)|think(?:s)? (?:about|of)|not sure|unsure|undecided|if|unless|tempted|toying|suspect\w*|guess|reckon|supposedly|apparently|seems?|looks like|potential\w*|likely|uncertain|unclear|doubt\w*|rumou?r\w*|toss-up|depend\w*)\b|可能|也许|大概|说不定|考虑|没准|好像|似乎|估计|如果|要是|不一定|不确定|犹豫|或许|万一|据说|听说|大约/i,
  },
  {
    kind: 'plan',
    when: 'said',
    words:
      /\b(?:going to|gonna|will|plan(?:s|ning|ned)?|hop(?:e|es|ing)|want\w*|wanna|would (?:like|love)|wish\w*|intend\w*|aim(?:s|ing)?|dream(?:s|ing)?|appl(?:y|ied|ying|ies)|try(?:ing)? to|tries to|supposed to|meant to|should)\b|['’](?:ll|d (?:like|love))\b|打算|想(?!起|到)|准备|计划|将|希望|争取|申请|本来/i,
  },
  {
    kind: 'past',
    when: 'said',
    words:
      /\b(?:used to|formerly|previously|former|back (?:then|when)|in the past|as a (?:kid|child|teen\w*)|no longer|any ?more|ex)\b|以前|从前|曾|小时候|当年|不再/i,
  },
  {
    kind: 'near',
    when: 'said',
    words:
      /\b(?:almost|nearly|practically|just about|close to|virtually)\b|差点|差一点|差不多|几乎|快要?|将近/i,
  },
  {
    kind: 'bound',
    when: 'either',
    words:
      /\b(?:at least|at most|(?<!(?:gone|went|go|going|goes|moved|came|come|raised|fed|put|signed) )up to|over(?= \d)|under(?= \d)|less than|more than|fewer than|no more than|below|above|maximum|minimum|tops|max)\b|至少|最多|不到|超过|以上|以下|以内|多(?=[个年月天岁块万千百])/i,
  },
  {
    kind: 'seldom',
    when: 'either',
    words:
      /\b(?:rarely|seldom|hardly|barely|scarcely|once in a (?:while|blue moon)|now and then|occasionally|sometimes|from time to time)\b|很少|偶尔|有时|难得|几乎不/i,
  },
  {
    kind: 'always',
    when: 'stated',
    words:
      /\b(?:always|every(?! other)|everything|all(?! over| the time)|never|constantly|regularly|entirely|completely|totally|fully|fluent\w*|severe\w*|chronic\w*|extreme\w*|strict\w*|deeply|only|solely|definitely|certainly|permanent\w*|expert|best|worst|most|favou?rite|obsess\w*|passionate\w*|addict\w*|professional\w*)\b|总是|每(?!天|周|月|年|个|次|公|英|小)|一直|从不|从来|完全|全部|所有|都|只|非常|极|严重|彻底|精通|流利|最|肯定|一定|永远|长期|专业/i,
  },
  { kind: 'sole', when: 'said', words: /\bthe only\b|\bonly (?:one|child|person)\b|唯一|独生/i },
  {
    kind: 'slight',
    when: 'said',
    words:
      /\b(?:a bit|a little|slightly|kind of|kinda|sort of|sorta|somewhat|mild\w*|half|partly|partially|mostly|semi|quasi|low-key|ish|beginner|basic|trying to learn|learning)\b|有点|稍微|一点|略|半|基本|部分|大多|轻微|勉强/i,
  },
]

/** Compares words of degree and certainty. */
function compareDegree(candidate: Candidate, said: Talk): Difference[] {
  const clauses = claimedIn(candidate, said).join(' , ')
  const latestSaid = Math.max(...said.quotes.map(({ turn }) => turn.at))
  const isInFuture = readTimeRanges(candidate.text, latestSaid).some(({ to }) => to > latestSaid + DAY_MS)
  return DEGREES.flatMap(({ kind, when, words }) => {
    const isSaid = words.test(clauses)
    const isStated = words.test(candidate.text) || (kind === 'plan' && isInFuture)
    const isOff =
      (isSaid && !isStated && when !== 'stated') ||
      (isStated && !isSaid && when !== 'said' && !words.test(textOf(said)))
    return isOff ? [open(`it says more or less than its words (${kind})`)] : []
  })
}
