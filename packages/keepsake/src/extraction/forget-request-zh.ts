import type { ForgetRequest } from './explicit-requests.ts'

const INTERJECTION =
  '(?:算了吧?|那个|哎呀?|唉|嗯+|呃|额|哦|噢|啊|对了|好吧|好的?|行吧?|其实|还有|另外|那么?|话说|说起来|等等|等一下|等下|不对|不好意思|抱歉|对不起|拜托了?|麻烦了?|谢谢你?|你听我说|我想了想|想了想|说真的|真的|总之|反正|所以|以后|今后|那就|就|还是)'
const ASKING =
  '(?:请你?|麻烦你?|拜托你?|帮我|帮忙|替我|给我|你?(?:可不可以|可以|能不能|能否|能|可否)|我(?:希望|想让|想要|想请|宁愿|宁可)你?|希望你|最好)'
const OPENING = new RegExp(`^(?:(?:${INTERJECTION}|${ASKING}|你)\\s*)*`)
const IS_ASKING = new RegExp(ASKING)

const WHEN = '(?:刚才|刚刚|方才|之前|以前|昨天|上次|前面|曾经|今天)?'
/** 我刚才跟你说的关于: what points at something told before. */
const TOLD = `(?:我${WHEN}(?:跟你|和你|对你|给你|告诉你?)?(?:说|讲|提|聊|告诉)(?:你)?(?:过|到|起)*的?(?:关于|有关)?|关于|有关)`
const DROP = '(?:忘了|忘掉|忘记|删掉|删除|删了|抹掉|清除|清掉|去掉)'
const NOT = '(?:就?(?:别|不要|不用|请勿|不必|不许|不准)(?:再)?)'
const KEEP = '(?:记住|记得|记下来|记录|记着|记|保存|存储|存下来|存|留着|留下)'
const END =
  '(?:的(?:那件|这件|那些|这些)?(?:事情?|事儿|话题|话|内容|信息|记录|部分)|这件事|那件事|这事儿?|那事儿?|这个事)'
const LAST = '(?:了|吧|啦|哦|好吗|好不好|可以吗|行吗|好了|就行了?|就好|吗|嘛|啊|呀)*'
const WITHOUT = '(?:都|全部?|统统|给|就)*'

interface Form {
  readonly pattern: RegExp
  /** Without 请, 帮我 or the like the words are said every day. */
  readonly asks?: boolean
}
const form = (source: string, asks = false): Form => ({
  pattern: new RegExp(`^${source}${LAST}$`, 'u'),
  asks,
})

const FORMS: readonly Form[] = [
  form(`${DROP}(?:吧|掉)?${TOLD}(.+?)${END}?`),
  form(`${DROP}(?:吧)?(我(?:的|家).+?)${END}?`),
  form(`${DROP}(?:吧)?(.+?)${END}?`, true),
  form(`把${TOLD}(.+?)${END}?${WITHOUT}${DROP}`),
  form(`把(.+?)${END}?${WITHOUT}${DROP}`, true),
  form(`${TOLD}(.+?)${END}?(?:请|麻烦)?(?:你)?${WITHOUT}(?:忘掉|忘了|删掉|删除|删了|抹掉|清除)`),
  form(`${NOT}${KEEP}(?:下来?)?(?:${TOLD})(.+?)${END}?`),
  form(`${NOT}${KEEP}(?:下来?)?(我(?:的|家).+?)${END}?`),
  form(`${NOT}(?:记住|保存|存储|记录|记)(?:下来?)?(我.+?)${END}?`),
  form(`不(?:希望|想|要)?(?:让)?你?(?:记住|保存|存储|记录|记下|记得|留着)(?:${TOLD})?(.+?)${END}?`, true),
  form(`我不(?:希望|想让|想要|愿意让|愿意)你(?:记住|保存|存储|记录|记下|记得|留着)(?:${TOLD})?(.+?)${END}?`),
  form(
    `(?:就)?当(?:作|做)?我(?:从来|从|压根|根本)?(?:没有?|未)(?:跟你|和你|对你)?(?:说|提|讲|聊)(?:起|到)?过?(.+?)${END}?`,
  ),
  form(
    `(?:关于|有关)?(.+?)${END}(?:请你?|以后|今后|咱们|我们|你|就)*(?:别|不要|不用)再(?:跟我|和我|对我)?(?:提起?|提到|说起?|讲|聊)(?:它|他|她|起)?`,
  ),
  form(
    `(?:关于|有关)?(.+?)${END}(?:请你?|以后|你|就)*(?:别|不要|不用|不必)(?:再)?(?:记住|记录|记下来?|记|保存|存储|存下来?|存)(?:它)?`,
  ),
  form(
    `(?:请)?(?:别|不要)再(?:跟我|和我|对我)?(?:提起|提到|提)(?!醒|前|高|供|问|出|要|交|示|议|升|速|钱|意|案|名|取|款|价|到了?$)(.+?)${END}?`,
  ),
  form(
    `(.+?)(?:${END})?(?:是|要|得|请|算|属于)*(?:保密|隐私|我的隐私|私事|秘密)的?[,，]?(?:所以)?(?:请|你)*(?:别|不要)(?:再)?(?:记住|记录|记下来?|记|保存|存储|存下来?|存)(?:它)?`,
  ),
]

const THIS =
  '(?:这个|那个|这件事|那件事|这事|那事|这句话?|那句话?|这句|这些话?|那些话?|这段话?|这条|这一条|刚才(?:那句|这句)话?|刚刚(?:那句|这句)话?)'
const SAID = `(?:我)?(?:刚才|刚刚|前面|上面|方才)(?:跟你)?(?:说|讲|提)的?(?:那句|这句|那些|这些)?(?:话|内容|事情?|东西)?|${THIS}|我说的话?|我的话|上一?(?:句|条)(?:话|消息)?`
const JUST_SAID: readonly Form[] = [
  form(`${DROP}(?:吧)?(?:${SAID})`),
  form(`把(?:${SAID})${WITHOUT}${DROP}`),
  form(`(?:我)?(?:刚才|刚刚)(?:说|讲)的(?:话|那些)?${WITHOUT}(?:忘了|忘掉|删掉|删除|删了)`),
  form(
    `(?:就)?当(?:作|做)?我(?:刚才|从来|什么都|啥都)?没(?:有)?(?:说|提|讲)(?:过|起过)?(?:这个|这话|这句话?|这件事|这事|那句话?|什么|任何话)?`,
  ),
  form(
    `(?:${SAID})(?:请|麻烦)?(?:你)?(?:就)?(?:别|不要|不用|不必)(?:再)?(?:记住|记录|记下来?|记|保存|存储|存下来?|存)(?:它)?`,
  ),
  form(`(?:别|不要|不用)(?:记住|记录|记下来?|记|保存|存储|存)(?:${SAID})`),
  form(
    `${THIS}(?:是|要|得|请|算|属于)*(?:保密|隐私|我的隐私|私事|秘密)的?[,，]?(?:所以)?(?:请|你)*(?:别|不要)(?:再)?(?:记住|记录|记下来?|记|保存|存储|存下来?|存)(?:它)?`,
  ),
  form(`我不(?:希望|想让|想要)你(?:记住|保存|记录|记下)(?:${SAID})`),
  form('别记'),
]

/** 别忘了…, 不要忘记…, 我忘了带钥匙, 我永远不会忘记…. */
const EVERYDAY =
  /(?:别|不要|不能|不会|不敢|没有?|可别|千万别|难以|无法|永远|从来?没?)(?:再)?(?:忘|删|抹|清除)|(?:我|他|她|你们|我们|他们|差点|老是|总是|突然|经常|容易|竟然|居然)(?:又|就|也|已经|快|早就|都|给)?(?:忘|删)/
/** What nobody asks a memory to drop: people and things pointed at, the past, sorrow. */
const NOTHING_NAMED =
  /^(?:他|她|它|他们|她们|这个?|那个?|这些|那些|这事|那事|一切|什么|所有|全部|过去|从前|以前|以后|往事|烦恼|忧愁|悲伤|痛苦|时间|自己|我们?|你们?|别人|人家|大家|不?(?:愉快|开心|高兴|好)|伤心|难过|丢人|烦心|陈年|陈年旧|旧|小|这样|那样|工作上|昨天|明天|今天|吧|了)$|^(?:那些|所有|一切)?(?:不(?:开心|愉快|高兴|快乐|好)|伤心|难过|烦心|痛苦|糟心)的?/
/** A supposition or another's words before the request. */
const NOT_ASKED =
  /如果|要是|假如|假设|倘若|除非|(?:说|告诉我?|叫我|让我|劝我|问|喊|写道|骂)[:"“「]?$|^(?:他|她|他们|医生|老师|我妈|我爸|朋友)(?:们)?(?:总|老|常)?(?:说|叫|让|劝|告诉)/

/** Longer "sentences" are lists, logs or pasted texts; a request is short. */
const LONGEST = 300

function clean(sentence: string): string {
  return sentence
    .replace(/[，､]/g, ',')
    .replace(/；/g, ';')
    .replace(/：/g, ':')
    .replace(/。/g, '.')
    .replace(/！/g, '!')
    .replace(/？/g, '?')
    .trim()
}

function matchForm({ pattern, asks }: Form, words: string, isAsked: boolean): RegExpExecArray | null {
  return asks === true && !isAsked ? null : pattern.exec(words)
}

function aboutOf(found: string): string {
  return found
    .replace(new RegExp(`${END}$`, 'u'), '')
    .replace(/^(?:我的)?(?=.+)(?:关于|有关)/, '')
    .trim()
}

/** The request a clause makes, if any. */
function readClause(clause: string): ForgetRequest | null {
  const opening = OPENING.exec(clause)?.[0] ?? ''
  const isAsked = IS_ASKING.test(opening)
  // 我 may belong to what follows the opening: 我希望你… asks, 我说的… points.
  for (const words of new Set([
    clause.slice(opening.length),
    clause.replace(new RegExp(`^(?:${INTERJECTION}\\s*)+`), ''),
    clause,
  ])) {
    if (JUST_SAID.some((one) => matchForm(one, words, isAsked) !== null)) return { about: null }
    if (EVERYDAY.test(words)) continue
    for (const one of FORMS) {
      const found = matchForm(one, words, isAsked)?.[1]
      if (found === undefined) continue
      const about = aboutOf(found)
      if (about.length > 1 && !NOTHING_NAMED.test(about)) return { about }
    }
  }
  return null
}

/** Whether a question asks for it politely; others only ask. */
function asksPolitely(sentence: string): boolean {
  if (!/\?\s*$/.test(sentence) && !/[吗呢么][.!\s]*$/.test(sentence)) return true
  return /能不能|可不可以|可以|能否|可否|麻烦|请|帮我|拜托|(?:好|行)(?:吗|不好|不行)/.test(sentence)
}

/**
 * A request to forget in a Chinese sentence, with full- or half-width punctuation, what leads in and what gives the
 * reason left aside: 忘掉我说的关于安娜的事, 别记我的地址, 就当我没提过安娜.
 */
export function readForgetRequestZh(sentence: string): ForgetRequest | null {
  if (sentence.length > LONGEST) return null
  const plain = clean(sentence)
  if (!/忘|删|抹掉|清|记|存|留|当我|当作|提|保密|隐私|聊|说/.test(plain) || !asksPolitely(plain)) return null
  if (/(?:也|都)(?:没关系|没事|行|好|无所谓)/.test(plain)) return null
  const clauses = plain.split(/[,;:.!?~～…—\n]+|\s-+\s/).map((clause) => clause.trim())
  for (const [at, clause] of clauses.entries()) {
    if (clause === '') continue
    if (clauses.slice(0, at).some((before) => NOT_ASKED.test(before))) return null
    const next = clauses[at + 1] ?? ''
    const request =
      readClause(clause) ?? (/保密|隐私|秘密|私事/.test(clause) ? readClause(`${clause},${next}`) : null)
    if (request !== null) return request
  }
  return null
}
