// Recognises heads after which users continue in their own words.
import { either, pattern } from '../pattern.ts'
import { claimsText, titlesNotes } from './own-texts.ts'
import { isTopic, namesTopic } from './topic-labels.ts'

/**
 * Reports whether a head before a colon or above a line introduces the speaker's own words: “Update”, “My job”, 说实话. Any other head may
 * name an object with words on it, such as a tattoo. Such objects cannot be listed, so unknown heads introduce words of others.
 */
export function isOwnLead(head: string): boolean {
  const plain = head
    .replace(/[^\p{L}\p{N}\s'’,，、;.#/&-]+|^\s*#+(?=\s.*(?:\b(?:me|my|myself)\b|我(?!们)))/giu, ' ')
    .trim()
  if (plain === '' || /^[\d\s.,/年月日号点时分:-]+$/u.test(plain)) return true
  if (givesData(plain) || OWN_ELSEWHERE.test(plain) || titlesNotes(head) || claimsText(head)) return true
  return /\p{Script=Han}/u.test(plain) ? isOwnChinese(plain) : isOwnEnglish(plain)
}

/** Titles of what people write about themselves: “Profil”, “pregunta”, “semana”. */
const OWN_TITLES = either(
  /profil|perfil|situation|situación|situação|contexte?|contexto|kontext|hintergrund|lage|daten|bio|présentation|presentación|apresentação/u,
  /vorstellung|problem[ae]?|problème|frage|question|pregunta|pergunta|update|semaine|journée|année|woche|tag|jahr|semana|día|dia|año|ano/u,
)
/** Heads before one's own words: “zu mir”, “mon profil”, 自己紹介. */
const OWN_HEADS = either(
  /(?:zu|über) mir?(?:ch)?|à propos de moi|sobre (?:mí|mim)/u,
  String.raw`(?:meine?|mon|ma|mi|o meu|meu|a minha|minha)? ?(?:${OWN_TITLES})`,
  /(?:hallo|hola|olá|oi|bonjour|bonsoir|salut|buen[oa]s \p{L}+|bo[am] \p{L}+|guten \p{L}+)(?: [^:]{1,20})?/u,
  /自己[紹绍]介|背景|質問|状況|(?:제|내)? ?소개|자기 ?소개|상황|질문|배경/u,
  /noch (?:was|etwas|eins)|(?:ganz )?ehrlich(?: gesagt)?|um es kurz zu (?:machen|sagen)|was ich (?:noch )?(?:vergessen|verschwiegen).{0,20}|zu deiner frage|(?:gute|schlechte) nachricht(?:en)?|(?:nur )?zur info|(?:heute|gestern) (?:beim|bei der|im) \p{L}+/u,
  /au fait|(?:encore )?une (?:autre )?chose(?: encore)?|pour (?:info|être honnête|te répondre|résumer)|en (?:bref|résumé)|(?:bonne|mauvaise) nouvelle|ce que j['’]ai oublié.{0,20}|un peu (?:de contexte|sur moi)|(?:hier|ce matin|ce soir)(?: chez .{1,20})?/u,
  /por cierto|(?:una|otra) cosa(?: más)?|para (?:ser sincer[oa]|que lo sepas|que te hagas una idea)|en resumen|(?:buena|mala) noticia|se me olvidó.{0,20}|respondiendo.{0,20}|un poco (?:de contexto|sobre mí)|(?:ayer|hoy|esta mañana)(?: en .{1,20})?/u,
  /aliás|já agora|(?:mais )?uma coisa|para ser sincer[oa]|resumindo|em resumo|(?:boa|má) notícia|esqueci-me.{0,20}|respondendo.{0,20}|um pouco (?:de contexto|sobre mim)|(?:ontem|hoje|esta manhã)(?: n[oa] .{1,20})?/u,
  /追[記记]|[補补]足|ちなみに|余[談谈](?:ですが)?|近[況况]|私のこと|今日の出来事|正直に?言うと|[質质][問问]の答え|추가로|참고로|근황|솔직히(?: 말하면)?|오늘 있었던 일|질문에 대한 답/u,
)
/** Reports whether a label in another language introduces the speaker's own words: “Übrigens”, “por cierto”. */
export function opensElsewhere(label: string): boolean {
  return OWN_ELSEWHERE.test(label)
}
/** Matches heads before the speaker's own words in other languages: “Mon profil”, “Zu mir”, 自己紹介. */
const OWN_ELSEWHERE = new RegExp(
  String.raw`^(?:(?:hallo|hi|hola|olá|bonjour|salut)[,!]? )?(?:(?:kurze?|petite?|breve|rápida) )?(?:${OWN_HEADS})$`,
  'iu',
)

const FILLER =
  /^(?:(?:ok|okay|so|well|and|but|or|also|then|now|oh|ah|hey|hi|lol|haha|hm+|um+|btw|right|anyway|just|really|honestly|please|maybe|actually|sadly|luckily|happily|yesterday|today|tonight|first|finally|still|even|only|yes|yeah|yep|no|nope)\b[\s,]*)+/iu
/** Verbs of perceiving and receiving words: “heard”, “was told”, “found this”. */
const PERCEIVED_VERBS = either(
  /(?:over)?hear|(?:over)?heard|saw|see|seen|spotted|noticed|read|came across|copied/u,
  /found (?:this|these|it|the following|on|in|at|under|written|an? (?:note|letter|sign|text|message|page|slip))/u,
  /(?:was|were|got|been|am|are) (?:told|handed|given|shown|sent|forwarded|dealt)|received|dreamt|dreamed|watched|listened/u,
)
/** Matches things seen or heard, which are never the speaker's words. */
const PERCEIVED = new RegExp(String.raw`\b(?:${PERCEIVED_VERBS})\b`, 'iu')
/** Verbs and nouns for words on an object or from a program: “engraved”, “slogan”, “prompt”. */
const BORNE_WORDS = either(
  /written|wrote|carved|engraved|etched|printed|painted|stitched|embroidered|scratched|scribbled|sprayed|tattooed|inscribed|chalked/u,
  /typed|displayed|shown|sung|spoken|dubbed|whispered|announced|recited|quoted|translated|transcribed|recorded|played|reads?|screams?/u,
  /screaming|shout\w*|yell\w*|chant\w*|recit\w*|repeat\w*|squawk\w*|announc\w*|mutter\w*|whisper\w*|sings?|singing|sang|says?|said/u,
  /saying|spelled|spells|inscription|caption|quote|lyrics?|verse|slogan|motto|jingle|placard|sticker|subtitle|speech|toast|vows?|oath/u,
  /users?|system|memory|assistants?|bots?|chatbots?|ai|models?|override|prompt|instructions?|automatic(?:ally)?/u,
)
/** Matches words written on an object or played by one. */
const BORNE = new RegExp(String.raw`\b(?:${BORNE_WORDS})\b`, 'iu')
/** First words of one's own sentence: “in short”, “for the record”, “guess”. */
const OPENER_WORDS = either(
  /dear diary|to/u,
  /in (?:short|brief|fact|other words|general|addition|summary|conclusion|truth|reality|my|any case|case|all|the end|the meantime|particular)/u,
  /for (?:example|instance|the record|context|reference|what it|now|me|us|starters|completeness|real)|by the way/u,
  /at (?:least|last|present|first|home|work)|of course|from (?:now|my|what i)|on (?:top|the (?:plus|other|up|down))|not|no|nothing|nobody|everything/u,
  /all|as|if|unless|because|since|before|after|when|while|although|though|just|speaking|talking|regarding|concerning|about|on second|believe|guess/u,
  /turns|turned|remember|note|wait|look|listen|trust|true|same|again|exactly|correct|sure|thanks|sorry|let|never|long|hello/u,
  /good (?:morning|evening|afternoon)|fun|funny|(?:save|store|memori[sz]e) (?:this|that|it)|hear me|mind|thing|things|otherwise|regardless|whatever/u,
  /therefore|hence|besides|plus|meanwhile|suddenly|obviously|clearly|apparently|fortunately|unfortunately|frankly|personally|currently|lately/u,
  /recently|basically|technically|generally|usually|normally|originally|previously|formerly|like (?:i|you|we)|hope|hoping|relevant|irrelevant|useful/u,
  /worth|asking/u,
  /(?:sad|hard|easy|difficult|simple|strange|weird|odd|silly|crazy|impossible|bitter|nice|good|bad)(?: enough)? (?:but|to|though|that|how)\b/u,
  /here goes|call me|start|try|take|use|go|add|include|make|keep|know|consider|count|assume|moving|done|settled|solved|confirmed|decided|checked/u,
  /fixed|re|ps|psa|fwiw|afaik|imo|imho|tbh|ngl|iirc|long-time|quick|small|tiny|big|great|more|less|one more/u,
)
/** Numbers of days and weeks: “three”, “40”. */
const COUNTS = String.raw`(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
/** Matches a time about which the speaker speaks: “day 40 without sugar”, “three years sober”, “yesterday at the clinic”. */
const AT_A_TIME = new RegExp(
  String.raw`^(?:(?:day|week|month|year|night) ${COUNTS}\b|${COUNTS} (?:days?|weeks?|months?|years?) (?:in|on|later|without|sober|clean|ago|to go|of)\b|(?:yesterday|today|tonight|last night|this (?:morning|afternoon|evening)) (?:at|with) (?:the|my|our|work|school)\b)`,
  'iu',
)
/** Matches an aside about what follows: “the short of it”, “on the job front”, “trick I use”, “my husband and I”. */
const ASIDE_HEAD =
  /^(?:the (?:short of it|gist|upshot|twist|catch|result|(?:\p{L}+ )?(?:bit|part|thing))|on (?:the \p{L}+ (?:front|side)|an? (?:\p{L}+ )?note)|in (?:practice|a nutshell|real life)|at our place|don['’]t (?:laugh|judge|worry)|forgot to \p{L}+|never told you.{0,10}|change of subject|real talk|truth be told|where things stand|yours truly|.{1,30} and (?:i|me)|\p{L}+(?: \p{L}+)? i (?:use|swear by|miss|love|hate|need|follow|live by))$/iu
/** Matches openers of sentences in which the speaker continues in their own voice. */
const OPENER = new RegExp(String.raw`^(?:${OPENER_WORDS})\b`, 'iu')
/** Matches words that number the parts of the speaker's own message. */
const ENUMERATOR =
  /^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|last(?:ly)?|next|then|finally|another|one|two|three|four)(?: (?:thing|one|question|point|item|step|of all|up|off|but not least))?$/iu
const SELF = /^(?:i|i['’]\w+|we|we['’]\w+|you|you['’]\w+|me|us|let me|let['’]s)\b/iu
const ABOUT_SELF = /\b(?:i|we|you|me)\b/iu
/** Prepositions, pronouns and auxiliary verbs: “behind”, “who”, “has”. */
const PREPOSITION_WORDS = either(
  /on|in|inside|at|under|above|behind|below|beside|from|by|for|with|within|over|near|next|outside|onto|across|along|around|among/u,
  /between|against|through|toward|towards|via|per|of|during|until|till|as|than|about|that|which|who|where|when|since|before|after|to/u,
  /i|we|you|is|are|was|were|being|has|have|had|will|would|can|could|may|came|come|comes|seen|made|and|but|told/u,
)
/** Matches a word that ends a noun phrase: “on”, “which”, “was”. */
const PREPOSITION = new RegExp(String.raw`^(?:${PREPOSITION_WORDS})$`, 'iu')
const DETERMINER =
  /^(?:the|a|an|this|that|these|those|some|another|any|every|each|one|two|three|four|my|our|your|his|her|its|their)$/iu
/** Matches another's possession, whose content is also another's. */
const POSSESSED =
  /\b(?:his|her|their)\b|\p{L}['’]s?\s+\p{L}|\bof (?:the|an?|some|another|this|that) (?:\p{L}+ )?\p{L}+(?:er|or|ist|ian|man|woman|guy|girl|boy|kid|friend)s?\b/iu

/** Matches a judgement of a day: “today was awful: …”. */
const DAY_WAS =
  /^(?:today|yesterday|tonight|last night|work|school|this (?:morning|week|year)|(?:the|my) (?:day|week|weekend)) (?:was|is|has been|went)(?: (?!(?:the|an?|my|his|her|their)\b)\p{L}+){1,3}$/iu

/** Matches a head that names another author of a text: “notes from the counsellor”. */
const BY_ANOTHER =
  /\b(?:notes?|update|message|news|summary|report|review|answer|reply|list|plan|recap|round-?up) (?:from|by) (?:(?:the|an?|my|his|her|our|their) \p{L}|\p{Lu})/u

/** Matches words on a thing, or about another person: “the sign on the shop door”, “a note I found”, “about the author”. */
const ON_THINGS = pattern(
  'iu',
  /^(?:(?:the|an?|this|that|last|first|top|new) ){0,2}(?:signs?|notes?|comments?|reviews?|lines?|statements?|headlines?|answers?|messages?|notices?|sentences?) (?:on|at|outside|inside|under|above|behind|beside|from|of|in|by|to|upstairs) (?!(?:me|my|mine|myself|our|us|you|your|self|today|yesterday|tonight|this|last|mid|\d)\b)/u,
  /^(?!what\b|all\b|the \p{L}+ why)(?:\p{L}+ )+i (?:just )?(?:found|saw|read|heard|overheard|got|received|spotted)\b/u,
  /^about (?:the|our) (?:author|host|artist|speaker|owner|seller|chef|team|band|designer|founder|writer|company|shop)s?$/u,
)

function isOwnEnglish(head: string): boolean {
  if (BY_ANOTHER.test(head.charAt(0).toLowerCase() + head.slice(1))) return false
  if (ON_THINGS.test(head)) return false
  if (ENUMERATOR.test(head) || DAY_WAS.test(head) || AT_A_TIME.test(head) || ASIDE_HEAD.test(head))
    return true
  const clauses = head
    .split(/[,;]\s+|\s-\s/)
    .map((clause) => (OPENER.test(clause.trim()) ? clause : clause.replace(FILLER, '')).trim())
    .filter((clause, index) => clause !== '' && (index === 0 || !ASIDE.test(clause)))
  const last = clauses.at(-1)
  if (last === undefined) return true
  if (clauses.length > 1 && !isOwnClause(clauses[0] ?? '')) return SELF.test(last) && isOwnClause(last)
  return isOwnClause(last)
}

/** Matches a remark to the listener: “My bio, if you need it”. */
const ASIDE =
  /^(?:if|in case|when(?:ever)?|since|as|because) you\b[^,]{0,40}$|^for your (?:records?|files?|information|notes?)$/iu

/** Matches a call to look at something, such as words of another: “look what they wrote”. */
const CALLS_TO_LOOK = /^(?:look|listen|see|guess|hear|check out) (?:at )?(?:what|how|who|this|these)\b/iu
const ABOUT_ME = /\babout (?:me|myself|us)$|\bto (?:me|myself|us)$/iu
const AS_I_SAID = /\b(?:as |like )?i (?:just |already |once )?said\b|\bto say\b/iu
const QUESTION_WORD = /^(?:what|where|who|why|how|when|which|all|the reason|reason)\b/iu
/** Matches words that appeared somewhere: “this popped up”. */
const APPEARED =
  /^(?:this|these|that|it|something) (?:just |suddenly |then )?(?:popp|came|appear|show|flash|turned up|rolled)/iu
const POINTER = /^(?:it|that|this|there|here|those)(?:['’]s)?(?:\s|$)/iu
const POINTER_IS = /\b(?:it|that|what|here|there|where)['’]s\b/giu

/** Reports whether the words before a colon are the speaker's: “My job”, “what happened today”, “by the way”. */
function isOwnClause(head: string): boolean {
  const clause = head.replace(/^(?:a )?(?:bit|piece|couple) of (?:an? )?/iu, '')
  const words = clause.split(/\s+/)
  const lastWord = words.at(-1) ?? ''
  if (CALLS_TO_LOOK.test(clause) && words.length > 2)
    return /\bwhat happened\b/iu.test(clause) || ABOUT_SELF.test(clause)
  if (ABOUT_ME.test(clause) || OWN_SHEET.test(clause)) return true
  if (SELF.test(clause)) return !PERCEIVED.test(clause) || /\bwhat (?:i|we)\b/iu.test(clause)
  if (BORNE.test(clause) && !AS_I_SAID.test(clause)) return false
  if (QUESTION_WORD.test(clause)) {
    const isPlainQuestion = words.length <= 2 || /^(?:why|how) (?:it|this|that)\b/iu.test(clause)
    return isPlainQuestion || ABOUT_SELF.test(clause) || namesTopic(lastWord)
  }
  if (APPEARED.test(clause)) return false
  if (POINTER.test(clause)) {
    const namesObject = words.length > 3 && DETERMINER.test(words.at(-2) ?? '')
    return !namesObject || namesTopic(lastWord) || /^(?:while|bit|lot|day|try)$/iu.test(lastWord)
  }
  if (POSSESSED.test(clause.replace(POINTER_IS, ' '))) return false
  if (isOfUnknownObject(words)) return false
  const hasPreposition = words.slice(0, 4).some((word) => PREPOSITION.test(word))
  if (!hasPreposition && namesTopic(lastWord)) return true
  const isMyTopic = /^(?:my|our)$/iu.test(words[0] ?? '') && namesTopic(words[1] ?? '')
  if (namesTopic(subjectOf(words)) || isMyTopic) return true
  return OPENER.test(clause) || /^\w+ly$/iu.test(clause)
}

/** Reports whether a head asks to fill in a form with the user's data: “Fill in the form for me”, 帮我填一下. */
export function givesData(head: string): boolean {
  return ERRAND.test(head)
}
/** Verbs of a request to fill in a form: “sign”, “apply”. */
const ERRAND_VERBS =
  'fill (?:it |this |that )?(?:in|out)|fill|complete|sign|book|register|enrol+|apply|order|reserve|put'
/** Matches a request to fill in a form with the user's data: “Fill in the form for me”, 帮我填一下. */
const ERRAND = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:(?:please|can you|could you|now|so|then|and)\s+)*(?:${ERRAND_VERBS})\b(?!.*\b(?:blank|gap|sentence|exercise)s?\b).{0,40}\b(?:for|as) (?:me|us)$`,
  /^(?:请|麻烦)?(?:帮|替|给)我们?(?:填|登记|报名|注册|预[订约]|订|办|申请)[^，。]{0,8}$/u,
)
const OWN_SHEET =
  /^(?:here(?: is|['’]s) )?(?:my|our) (?:own )?(?:bio|biography|profile|intro|introduction|self-introduction|particulars|data|cv|resume|résumé)(?: (?:so far|again|in short|in a nutshell))?$/iu

/** Reports whether a result, an answer or a story belongs to another: “Ouija board result”, but not “test results”. */
function isOfUnknownObject(words: readonly string[]): boolean {
  const index = words.findIndex((word) => STATEMENT_NOUN.test(word))
  if (index <= 0) return false
  const before = words.slice(0, index).filter((word) => !DETERMINER.test(word) && !PREPOSITION.test(word))
  return before.some((word) => !namesTopic(word) && !PLAIN.test(word))
}
/** Nouns for statements of a person: “answers”, “verdict”. */
const TOLD_THINGS = either(
  /answers?|results?|summar(?:y|ies)|statements?|stor(?:y|ies)|reviews?|reports?|questions?|intros?|introductions?|announcements?/u,
  /conclusions?|reply|replies|responses?|reactions?|comments?|messages?|verdicts?|notes?|annotations?|descriptions?|instructions?/u,
  /specifications?|explanations?|clarifications?|declarations?|footnotes?|disclaimers?|names?|parts?|cards?|status|details?|facts?|lines?/u,
)
/** Matches a noun for a person's statement: “result”, “story”. */
const STATEMENT_NOUN = new RegExp(String.raw`^(?:${TOLD_THINGS})$`, 'iu')
/** Plain attributes: “my”, “latest”, “blood”. */
const PLAIN_WORDS = either(
  /my|our|your|re|own|honest|short|long|quick|small|tiny|little|big|huge|good|great|bad|best|worst|same|final|new|latest|last|first|second/u,
  /next|other|only|main|real|true|full|fun|funny|weird|strange|odd|random|simple|serious|personal|general|important|current|old|sad|happy/u,
  /clear|obvious|related|another|extra|side|brief|more|lab|blood|skin|allergy|medical|exam|interview|doctor|dna|covid/u,
)
/** Matches a plain attribute of a statement, which names no other author: “short”, “final”, “medical”. */
const PLAIN = new RegExp(String.raw`^(?:${PLAIN_WORDS})$`, 'iu')

/** Returns the last noun of a clause's first part: “part” of “the best part of it”, “mug” of “on a mug in the kitchen”. */
function subjectOf(words: readonly string[]): string {
  const from = PREPOSITION.test(words[0] ?? '') ? 1 : 0
  const end = words.findIndex((word, index) => index > from && PREPOSITION.test(word))
  return (end < 0 ? words : words.slice(0, end)).findLast((word) => !/^(?:[A-Z]|[\d.]+)$/u.test(word)) ?? ''
}

/** Matches a Chinese head about the speaker: 我…, 其实我…, 你知道…. */
const SELF_ZH =
  /^(?:其实|那|所以|但是?|不过|然后|先|顺便|对了|好吧?|嗯|哦|啊|另外)*(?:我|咱|本人|在下|俺|[你您](?:知|问|猜|说|看|懂|想|要|也|们|可能|应该|记得|还记得|别|放心|不是|明白|了解|之前|上次))/u
/** Reports whether a head names words that are written, sung, or said by another. */
export function isBorne(head: string): boolean {
  return BORNE.test(head) || POSSESSED.test(head)
}

/** Matches a text of one's relative or friend: 我妈发来的语音, 我爸的名言. */
const OF_KIN_ZH =
  /^我们?(?:家|的)*(?:[爸妈爷奶哥姐弟妹]|外[公婆]|老[公婆板师]|儿子|女儿|孩子|朋友|同[事学]|室友|邻居|对象|[男女]友).*(?:语音|名言|原话|短信|微信|朋友圈|作文|日记|签名|信|邮件|留言|口头禅|评论|帖子)$/u
const PERCEIVED_ZH =
  /看[到见过]|听[到见说过]|发现|读到|收到|翻到|刷到|捡到|梦[到见]|念|(?:(?:写|刻|印|绣|喊|唱|显示|题写|标注)(?:着|了|道|的|到)?|(?:贴|挂|叫|播|标|题|缝|喷|画|纹|登|载)(?:着|了|道|到)|[在直]叫)(?:[一这那]?[行句段首张])?$|(?:写|刻|印|绣|贴|挂|喷|缝|纹)着|响了|亮了|开口|播报|广播|宣布|朗诵|背诵|吟|大喊|高喊|喊道|齐声/u
const OTHERS_ZH =
  /(?:[的个]孩子|[甲乙丙丁]方|当事人|申请人|承诺人|声明人|被告|原告|证人|受访者|候选人|求职者|租客|房东|主播|博主|网友|楼主|UP主|群主|买家|卖家|客户|患者|病人|嘉宾|旁白|选手|玩家|系统|用户|记忆|存入|指令|自动|他|她|它|别人|人家|对方|某人|有人|叔|姑|舅|姨|爷|奶|爸|妈|哥|姐|弟|妹|老师|同学|朋友|同事|老板|邻居|新郎|新娘|演员|主持|司机|店员|客服|教练|导游|小孩|孩子们|作者|主角|助手|机器人|人工智能|模型|系统|小[王李张刘陈赵周吴])/u
/** First words of a Chinese sentence: 其实, 首先, 谢谢. */
const OPENER_WORDS_ZH = either(
  /(?:[睡饭][前后])?(?:先|再|顺嘴|悄悄|小声|随口|多)?(?:说|讲|提|插|补|汇报|报备|透露)(?:一|两|个|几|点)*(?:声|句|嘴|下|[冷热]?知识|[小大]?秘密|情况|消息)(?=[吧啊呀哈]?$)|说[实真白来到起]|说句(?!台词|歌词|名言|诗)|[说讲聊](?:一?[个件])?[小大]?事|实话|老实|简单|总[之的体]|换[句个]|顺便|顺带|其实|事实|真相|老样子|好[的吧了]?|答|回答?[你您]|对[了的啊]?|是[的啊]?|嗯+|没错|没有|不是|不知|不用|当然|显然|果然|幸好|可惜|终于|最后/u,
  /跟[你您](?:交|透)个底|告诉[你您](?:个|一[个件])|(?:刚刚?|刚才|突然|忽然|猛地)想起来?|(?:从没|没)[跟和](?:[你您]|人|别人)[说提讲]过|别笑|不怕[你您]|说出来|回[复答](?:一下)?(?:[你您]|昨|上次|前)|既然[你您]|打个|报个?[到喜平]|[先再]说[好坏]消息|关键|提醒自己|准确|严格|在我(?:家|们?这)/u,
  /今[天日](?:的)?(?:汇报|份|收获|心情|小结|进度|[一二两三四五几]件|最)|\p{Script=Han}{2,4}第[一二三四五六七八九十百\d]+[天周月年次]$|怀孕.{1,4}[周月]|(?:\p{Script=Han}{1,4})?(?:形容|介绍|总结|概括)(?:一下)?我/u,
  /首先|其次|另外|还有|再[说次]|以及|至于|关于|对于|根据|由于|因为|如果|虽然|只是|不过|但是|所以|也就是|即|例如|比如|反正|无论|不管|请?(?:注意|记住|记得|知道)|大家好|各位好|你好|您好|嗨|哈喽|哈哈|唉|哎|天哪|一言|言归|闲话|长话|需要/u,
  /有[件个点一]|忘[了记]?(?:[跟和][你您])?[说讲提告]|先|开[始门]|坦[白率]|希望|替自己|最.{1,6}的$|一点|[一两二三四几]件事|[跟和与]这|[跟和][你您][说讲聊]|[加补添][上充]|恕|容我|谢谢|多谢|抱歉|对不起|第[一二三四五六七八九十\d]+(?:天|周|年|个?月|次|点|条)?$/u,
  /\d/u,
)
/** Matches the first words of a speaker's own Chinese sentence: 说实话, 总之, 第一天. */
const OPENER_ZH = new RegExp(String.raw`^(?:${OPENER_WORDS_ZH})`, 'u')
const ENDS_ZH =
  /(?:如下|的是|[一两二三]点|半天|自己[问说]|来说|来讲|说来|而言|一下|这样的?|方面|之前|之后|以来|以后|以前|那年|这年|当年|年|月|日|的事|版本?|[出过]来了|完了|好了|定了|成了|了)$/u

/** Reports whether a Chinese label continues the speaker's own message: 老样子, 换句话说. */
export function opensOwnChinese(label: string): boolean {
  return OPENER_ZH.test(label) && !PERCEIVED_ZH.test(label) && !OTHERS_ZH.test(label)
}

/** Matches a result of another, such as 占卜结果 or 参考答案, but not 检查结果. */
const TOLD_ZH = /(?:结果|答案|回答|总结|结论|例子|简介|介绍|资料|信息|消息|版本?|名字|姓名)$/u
const PLAIN_ZH =
  /^(?:今[天日]|昨[天日]|[本这上]周|周末|本月|我的?|本人的?|个人|自我|最[终后新近]|[好坏新重][大的]?|检查|体检|化验|检测|测试|考试|面试|过敏|医院|简短|简单|精简|完整|正式|其他|更多|基本|详细|家庭|一句话|一个|这个|那个|的|先|简要|全)*(?:结果|答案|回答|总结|结论|例子|简介|介绍|资料|信息|消息|版本?|名字|姓名)$/u

/** Matches words for notes. Alone or after a topic they are the speaker's own (备注, 饮食备注), after an object its text (快递单备注). */
const NOTED_ZH = /(?:备注|附注|注释|批注|标注|说明|附言)$/u
const PLAIN_NOTE_ZH =
  /^(?:特[别此]|额外|附加|必要|简[单短要]|顺便|再|小|另|另行|[一几两三][个点句条项]|个人|自己|自我|其[他它]|更多|详细|郑重|在此|先|稍微|多|最[终新后近]|友情|以下|下面|免责|统一|做|作|加|写|给[你您]|的)*$/u

function isNoteOnSomething(clause: string): boolean {
  const noted = NOTED_ZH.exec(clause)
  if (noted === null) return false
  const object = clause.slice(0, noted.index).replace(/的$/u, '')
  return !PLAIN_NOTE_ZH.test(object) && !namesTopic(object) && !PLAIN_ZH.test(`${object}信息`)
}

function isOwnChinese(head: string): boolean {
  const clauses = head.split(/[,，、;；]/).map((clause) => clause.trim())
  // In 备注，3月 the date only qualifies the clause before it.
  const isDated =
    clauses.length > 1 &&
    /^(?:\d+[年月日号点]?|第[一二三四五六七八九十\d]+[天年月周日])$/u.test(clauses.at(-1) ?? '')
  const clause = (isDated ? clauses[0] : clauses.at(-1)) ?? head
  const unpunctuated = head.replace(/[,，、;；\s]/g, '')
  if (OF_KIN_ZH.test(clause)) return false
  if (!/^(?:我|关于)/u.test(clause) && isTopic(clause)) return true
  if (SELF_ZH.test(clause)) return !PERCEIVED_ZH.test(clause)
  if (PERCEIVED_ZH.test(unpunctuated) || OTHERS_ZH.test(unpunctuated)) return false
  if (TOLD_ZH.test(clause) && !PLAIN_ZH.test(clause)) return false
  if (isNoteOnSomething(clause)) return false
  if (namesTopic(clause.replace(/(?:就?是|如下)$/u, '')) || /^我的|本人|^(?:有关|关于)我们?$/u.test(clause))
    return true
  return OPENER_ZH.test(clause) || ENDS_ZH.test(clause) || SELF_ZH.test(unpunctuated)
}
