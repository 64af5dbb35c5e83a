import type { StoredDocument } from '@keepsake/search'
import { TextTrait, analyseText, type Matter } from '@keepsake/text'

/**
 * A strand of a life: an overview covers it, and a profile has a line for it. A text is of a strand when its cues stand in it;
 * a fact also by its key.
 */
export interface Strand {
  readonly id: StrandId
  /** Keys of the persona sheet that belong to it, the most telling first. */
  readonly keys: readonly string[]
  /** Matches how a user speaks of it as their own. */
  readonly cues: RegExp
}

const STRAND_IDS = [
  'self',
  'home',
  'work',
  'studies',
  'partner',
  'children',
  'parents',
  'siblings',
  'relatives',
  'friends',
  'colleagues',
  'pets',
  'health',
  'diet',
  'treatment',
  'mind',
  'hobbies',
  'plans',
  'events',
  'money',
] as const
/** `named`: about one person, given by name. */
export type StrandId = (typeof STRAND_IDS)[number] | 'named'

/** A possessive of the user's, in talk or in a statement about them, and room for one word more. */
const MY = String.raw`\b(?:my|our|m[ae]|user['’]s)\s+(?:\w+[ -]){0,2}?`

function my(nouns: string, ...more: string[]): RegExp {
  return new RegExp([`${MY}(?:${nouns})\\b`, ...more].join('|'), 'i')
}

/** A relative named by the word alone is one's own, as in “mum's fine” and 妈说: not “a mum”, “his mum”, 他妈. */
const BARE = String.raw`(?<!\b(?:an?|the|his|her|their|your|whose|\w+['’]s)\s(?:\w+\s)?)\b(?:`

/** 我 or nothing before the noun: spoken Chinese drops whose it is. */
const KEYS_AND_CUES: Readonly<
  Record<(typeof STRAND_IDS)[number], readonly [keys: readonly string[], cues: RegExp]>
> = {
  self: [
    [
      'name',
      'nickname',
      'age',
      'birthday',
      'origin',
      'nationality',
      'identity',
      'background',
      'languages',
      'religion',
    ],
    /\b(?:my name(?:['’]s| is)|call(?:s|ed)? me|i['’]?m from|i (?:am|was) (?:from|born)|born in|grew up|i['’]?m \d\d\b|turn(?:ed|ing)? \d\d\b|years? old|my birthday|user(?:['’]s name| is called| is \d\d| is from| comes from| was born))|我叫|我姓|我今年|岁了?|老家|我是[^，。？]{1,8}人|出生|生日|长大/i,
  ],
  home: [
    ['residence', 'living-with', 'possessions'],
    /\b(?:i|we|user)(?:['’]ve| have|['’]m| am| are| just)?\s*(?:live[sd]?|living|moved?|moving|rent(?:ed|ing)?|bought (?:a|the) (?:flat|house|place))\b|\ba (?:\w+[ -]){0,2}(?:flat|apartment|house|cottage|bungalow|bedsit)\b|\b(?:my|our|new|the) (?:\w+ )?(?:flat|apartment|house|place|room|landlord|landlady|rent|neighbou?rhood|lease|mortgage|home town)\b|\b(?:moved|moving) (?:in|out|to|into|house|home)\b|搬家|搬到|搬进|搬去|住在|住的|租|房东|房子|新家|小区|我家在/i,
  ],
  work: [
    ['occupation', 'employer', 'field-of-work', 'skills', 'achievements'],
    /\bi(?:['’]m|['’]ve been| am)? (?:work(?:ed|ing)?|teach|taught|drive|drove|run|ran|manage[ds]?|nursed|cook(?:ed)? for|freelanc\w+|employed|retired|train(?:ed|ing) as|a (?:self-employed )?\w+(?:er|or|ist|ian|man|woman|nurse|cook|chef|clerk))\b|\b(?:my|a|the|new|his|user['’]s) (?:\w+ )?(?:job|work|shifts?|office|company|firm|salary|boss|employer|clients?|contract|trade|business|workshop|apprentice\w*)\b|\b(?:hired|fired|laid off|handed in|resign\w*|retire[ds]?|promot\w+|pension|apprentice|freelanc\w+|redundan\w+|got the job|job offer|first day at|day off)\b|\bworks? (?:as|at|for|in)\b|上班|工作|公司|老板|领导|同事|辞职|入职|跳槽|退休|加班|工资|店里|单位|我是(?:一名|个|做|干)|当(?:老师|医生|护士|司机)|升职|兼职|打工|家教|新活|开店|开张|创业|[做写干搞跑开教卖修当]\p{Script=Han}{1,5}的(?!\p{Script=Han})/iu,
  ],
  studies: [
    ['education', 'learning'],
    /\b(?:studying|studies|student|degree|university|college|uni|semester|thesis|dissertation|exams?|evening class(?:es)?|night school|course|lessons?|graduat\w+|apprentic\w+)\b|大学|专业|读研|研究生|考试|学校|上课|论文|毕业|学期|驾照|驾校|在学|社团|学生会|转专业|录取|考上|分数|四级|六级/i,
  ],
  partner: [
    ['partner', 'marital-status', 'relationship-change'],
    my(
      'husband|wife|partner|boyfriend|girlfriend|girl|man|fella|fianc[ée]e?|ex|spouse|other half|late husband|late wife',
      String.raw`\b(?:i|we|user)\b.{0,30}\b(?:married|divorced?|widow\w*|engaged|separated|dating|split up|broke up|seeing (?:someone|somebody))\b`,
      '老公|老婆|丈夫|妻子|爱人|男朋友|女朋友|男友|女友|对象|前夫|前妻|前任|前女友|前男友|结婚|在一起了|恋爱|脱单|表白|分手|离婚|未婚|我家那口子|老伴|先生',
    ),
  ],
  children: [
    ['children'],
    my(
      String.raw`sons?|daughters?|kids?|child(?:ren)?|boys?|girls?|baby|toddler|little one|eldest|youngest|grand(?:sons?|daughters?|child(?:ren)?|kids?)|step(?:son|daughter)s?`,
      '儿子|女儿|闺女|孩子|娃|宝宝|孙子|孙女|外孙|老大|老二|怀孕',
    ),
  ],
  parents: [
    ['parents'],
    my(
      'mum|mom|mother|mam|mama|mammy|dad|daddy|father|pa|papa|parents|folks|step(?:mother|father|mum|dad)',
      String.raw`${BARE}mum|mom|mam|mama|mammy|dad|daddy|papa)\b`,
      '(?<![他她你大姑姨舅干])[妈爸]|父亲|母亲|爸妈|父母|老妈|老爸|婆婆|公公|岳父|岳母|丈母娘',
    ),
  ],
  siblings: [
    ['siblings'],
    my(
      '(?:half-?)?brothers?|sisters?|twin|siblings?|sis|bro',
      '我哥|我姐|我弟|我妹|哥哥|姐姐|弟弟|妹妹|双胞胎',
    ),
  ],
  relatives: [
    ['relatives'],
    my(
      String.raw`aunt(?:ie|y)?|uncle|cousins?|niece|nephew|gran(?:ny|dma|dad|dpa|dmother|dfather|dparents)?|nan(?:a|ny)?|in-laws?|mother-in-law|father-in-law|godmother|godfather|godson|goddaughter`,
      String.raw`${BARE}nan|nana|gran|granny|grandma|granddad|grandad|grandpa|auntie)\b`,
      '奶奶|爷爷|外婆|外公|姥姥|姥爷|叔叔|阿姨|姑姑|舅舅|姨妈|表[哥姐弟妹]|堂[哥姐弟妹]|侄|外甥|亲戚|嫂子|姐夫|妹夫',
    ),
  ],
  friends: [
    ['friends', 'liked-people', 'disliked-people'],
    my(
      'friends?|best friend|mates?|flatmates?|roommates?|housemates?|neighbou?rs?|buddy|pal|bandmates?',
      String.raw`\ba (?:\w+ )?friend\b`,
      String.raw`\b(?:the )?neighbou?r (?:\w+ )?\p{Lu}`,
      '朋友|闺蜜|哥们|兄弟|室友|舍友|同桌|队友|邻居|死党|发小|姐妹|合租',
    ),
  ],
  colleagues: [
    ['colleagues'],
    my(
      String.raw`boss|manager|colleagues?|co-?workers?|supervisor|team ?lead|teacher|tutor|coach|trainer|mentor|landlord|landlady|professor|client`,
      '老板|领导|主管|经理|同事|老师|导师|师傅|教练|店长|组长|同学|徒弟',
    ),
  ],
  pets: [
    ['pets'],
    my(
      'dogs?|cats?|puppy|kitten|rabbits?|hamster|parrot|budgie|horse|pony|tortoise|guinea pigs?|hens?|goldfish|pets?|whippet|terrier|retriever|spaniel|collie|lurcher|tabby',
      String.raw`\b(?:adopted|walk(?:ed|ing)?|feed(?:ing)?) (?:the|a) (?:\w+ )?(?:dog|cat|puppy|kitten)\b`,
      String.raw`\b(?:the|a|old) (?:dog|cat|puppy|kitten)\b`,
      '猫|狗|兔子|仓鼠|鹦鹉|乌龟|宠物|金毛|柯基|泰迪|养(?:了|的|着|过|只|条)',
    ),
  ],
  health: [
    ['health', 'health-state', 'allergies', 'diet'],
    /\b(?:diagnos\w+|diabet\w+|asthma\w*|migraines?|arthritis|coeliac|celiac|epilep\w+|cancer|blood pressure|cholesterol|thyroid|heart (?:attack|condition|murmur)|stroke|sprain\w*|fractur\w+|broke my|torn|injur\w+|surgery|operat(?:ion|ed)|pregnan\w+|miscarr\w+|eczema|psoriasis|hernia|anaemi\w+|condition|syndrome|disease|disorder|symptoms?|relapse|flare|scan|biopsy|blood test|check-?up|swell\w*|swollen|rash|itch\w*|bleed\w*|aches?|pains?|painful|hurts?|sore|dizzy|bandage\w*|crutch\w*|wheez\w*|burn(?:t|ed) my|weigh(?:t|ed)?|\d+ ?kg|my (?:\w+ )?(?:back|knees?|hips?|shoulders?|wrists?|ankles?|eyes?|eyesight|hearing|ears?|heart|lungs?|stomach|skin|head(?:aches?)?|teeth|tooth|neck|hands?|foot|feet))\b|确诊|诊断|糖尿病|哮喘|偏头痛|头疼|高血压|血压|血糖|血脂|甲状腺|结节|关节|膝盖|腰|颈椎|手术|住院|体检|复查|怀孕|骨折|扭伤|发烧|感冒|胃病|胃|心脏|近视|过敏|病|[鼻胃肠肺肝咽皮关]\p{Script=Han}?炎|肿|疼|痛|头晕|流血|出血|发痒|[胖瘦]了|体重/iu,
  ],
  diet: [
    ['allergies', 'diet', 'dislikes'],
    /\b(?:allerg\w+|intoleran\w+|anaphyla\w+|epi-?pen|vegetarian|vegan|gluten|lactose|dairy|nuts?|shellfish|can['’]?t (?:eat|drink|have|stand)|don['’]?t (?:eat|drink|touch)|stopped (?:eating|drinking)|gave up|quit (?:smoking|drinking|coffee)|sober|smok(?:e|ing)|vap(?:e|ing)|alcohol|tastes? of)\b|过敏|不耐|忌口|不能[吃喝]|不[吃喝]|吃素|素食|戒(?:烟|酒|糖)|乳糖|麸质|海鲜|青霉素/i,
  ],
  treatment: [
    ['health', 'health-state'],
    /\b(?:medic(?:ation|ine|ines)|tablets?|pills?|prescri\w+|dose|\d+ ?mg|inhaler|insulin|antibiotics?|painkillers?|injections?|jab|vaccin\w+|physio\w*|therap\w+|doctor|gp|dr\.?|consultant|specialist|nurse|hospital|clinic|dentist|optician|surgery|treatment)\b|吃药|药|打针|疫苗|医生|大夫|医院|门诊|牙医|理疗|针灸|治疗|康复/i,
  ],
  mind: [
    ['mood', 'fears', 'weaknesses', 'routines'],
    /\b(?:sleep\w*|insomnia|nightmares?|anxi\w+|panic\w*|depress\w+|burn(?:t|ed)?[ -]?out|stress\w*|counsell?\w+|therapist|afraid|scared|terrified|phobia|grief|griev\w+|tired all|exhaust\w+)\b|失眠|睡不着|睡眠|睡得|焦虑|抑郁|压力|恐慌|害怕|怕|心理咨询|情绪|崩溃/i,
  ],
  hobbies: [
    ['hobbies', 'routines', 'habits', 'likes', 'skills', 'learning', 'favourites'],
    /\b(?:hobb\w+|choir|band|orchestra|guitar|piano|cello|violin|drums|sing(?:ing)?|danc(?:e|ing)|paint(?:ing)?|draw(?:ing)?|knit\w*|sew\w*|crochet\w*|pottery|ceramics|clay|garden\w*|allotment|hik(?:e|ing)|climb\w*|swim\w*|running|marathon|cycl\w+|yoga|pilates|football|rugby|tennis|cricket|basketball|chess|fishing|bak(?:e|ing)|cook(?:ing)?|photograph\w*|read(?:ing)? (?:a|the|club)|book club|gaming|board games?|i (?:love|enjoy|play|collect|volunteer)|in my free time|every (?:mon|tues|wednes|thurs|fri|satur|sun)day|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|爱好|喜欢|跳舞|广场舞|唱歌|画画|书法|摄影|弹琴|吉他|钢琴|跑步|马拉松|游泳|瑜伽|健身|爬山|徒步|骑车|打球|羽毛球|篮球|足球|下棋|钓鱼|种花|种菜|做饭|烘焙|看书|读书会|追剧|打游戏|拼图/i,
  ],
  events: [
    ['relationship-change', 'experiences'],
    /\b(?:died|passed away|funeral|buried|ashes|was born|gave birth|divorc\w+|split up|broke up|married|wedding|moved (?:in|out|to)|got the (?:job|place)|laid off|retired)\b|去世|过世|不在了|走了|没了|葬|下葬|节哀|出生|生了|生的|满月|离婚|分手|结婚|领证|办酒|搬[家到进去]|裁|辞/iu,
  ],
  money: [
    [],
    /\b(?:money|rent|salary|wages?|pa(?:y|ys|id|ying)|earn\w*|sav(?:e|ed|ing|ings)|debts?|loans?|mortgage|bills?|budget|pension|income|tax(?:es)?|grant|deposit|fees?|costs?|afford|overdraft|bank|owes?)\b|[£$€¥]\s?\d|\d ?(?:quid|pounds|euros?|dollars?|k)\b|钱|工资|房租|租金|收入|存款|攒|贷|债|欠|奖金|补贴|学费|预算|押金|[\d百千万两]+多?[块元]/iu,
  ],
  plans: [
    ['plans', 'goals', 'wishes', 'current-activity', 'promises'],
    /\b(?:i['’]?m going to|we['’]?re going to|i(?:['’]m| am)? plan(?:s|ning)?|plan to|i want to|i hope to|hoping to|dream(?:ing)? of|saving (?:up )?(?:for|to)|signed up|applied|deadline|next (?:week|month|year|spring|summer|autumn|winter)|booked|i(?:['’]ve)? decided|i(?:['’]m| am) (?:writing|building|learning|training|working on)|contract)\b|打算|计划|准备|想要|希望|报名|报了|决定|下个?月|明年|攒钱|预订|定了|目标|马上要/i,
  ],
}

export const STRANDS: readonly Strand[] = STRAND_IDS.map((id) => {
  const [keys, cues] = KEYS_AND_CUES[id]
  return { id, keys, cues }
})

const OF_MATTER: Readonly<Record<Matter, readonly StrandId[]>> = {
  person: [
    'self',
    'events',
    'work',
    'home',
    'partner',
    'children',
    'health',
    'parents',
    'siblings',
    'hobbies',
    'studies',
    'pets',
    'plans',
    'friends',
    'diet',
    'relatives',
  ],
  people: [
    'events',
    'partner',
    'children',
    'parents',
    'siblings',
    'friends',
    'relatives',
    'colleagues',
    'pets',
  ],
  family: ['events', 'partner', 'children', 'parents', 'siblings', 'relatives', 'pets'],
  friends: ['friends', 'colleagues', 'partner'],
  health: ['health', 'diet', 'treatment', 'mind'],
  work: ['work', 'colleagues', 'studies', 'plans'],
  studies: ['studies', 'work', 'plans'],
  home: ['home', 'partner', 'children', 'pets'],
  hobbies: ['hobbies', 'plans'],
  pets: ['pets'],
  plans: ['plans', 'studies', 'work'],
  money: ['money', 'work'],
}

/** Returns the strands that an overview of these matters covers, the most telling first. */
export function strandsOf(matters: readonly Matter[]): Strand[] {
  const ids = new Set(matters.flatMap((matter) => OF_MATTER[matter]))
  return [...ids].flatMap((id) => STRANDS.find((strand) => strand.id === id) ?? [])
}

/** What a matter is about, in words that a text near to it need not hold. */
const ABOUT: Readonly<Record<Matter, string>> = {
  person: '',
  people:
    'family friends mother father brother sister husband wife partner children neighbour colleague 家人 朋友 同事',
  family: 'family mother father brother sister husband wife children grandmother 家人 父母 兄弟 姐妹 孩子',
  friends: 'friends best friend mate neighbour flatmate party meet 朋友 室友 同学',
  health:
    'health illness disease allergy pain injury doctor hospital medication tablets diet sleep body weight 健康 身体 生病 疼 吃药 医院 睡眠',
  work: 'work job career boss colleagues office salary customers shift contract interview 工作 上班 老板 同事 工资',
  studies: 'studies school university course exam teacher lessons homework degree 学习 学校 考试 老师 上课',
  home: 'home house flat rooms kitchen garden landlord rent moving neighbours 家 房子 租房 搬家 邻居',
  hobbies:
    'hobby music singing painting sport running reading games garden club evenings 爱好 音乐 运动 看书 跳舞',
  pets: 'pet dog cat puppy kitten animal vet walk 宠物 猫 狗',
  money: 'money salary rent savings debt loan bills bank pension income cost 钱 工资 房租 存款 贷款',
  plans: 'plans future goal next year hope save decide deadline trip 计划 打算 明年 目标',
}

/** Returns words of the matters, to find texts that are near to them in meaning. */
export function aboutOf(matters: readonly Matter[]): string {
  return matters
    .map((matter) => ABOUT[matter])
    .join(' ')
    .trim()
}

/** A turn or a statement that an overview may show. */
export interface Telling {
  readonly id: string
  readonly text: string
  /** The words before it, if it points back to them: “She died in May.” */
  readonly answers?: string
  readonly at: number
  /** Its key of the persona sheet; `null` for statements without one, and for turns. */
  readonly key: string | null
  /** Whether it is a statement drawn from talk. A turn is less sure to tell of its speaker. */
  readonly isStatement: boolean
  /** The document that holds exactly this text; it is analysed where there is none. */
  readonly document?: Pick<StoredDocument, 'terms' | 'traits'> | undefined
}

/** Number of terms from which on a longer text is worth no more. */
const FULL = 24
/** Worth of what a text does: it names a person, counts something, speaks of its speaker, and so on. Set by hand. */
const WORTH = {
  name: 0.5,
  number: 0.25,
  first: 0.4,
  change: 0.6,
  statement: 1.5,
  key: 1.5,
  asks: -0.8,
} as const

/** Matches statements that something began or ended. */
const CHANGES =
  /\b(?:moved|started|got (?:the|a|my)|signed|accepted|hired|left|quit|gave notice|handed in|retired|married|divorced|split up|was born|died|passed|bought|sold|diagnosed|adopted|finished|graduated|opened)\b|搬[到进去了]|入职|辞职|离职|跳槽|换了|转[到了]|考上|拿到|结婚|离婚|分手|在一起了|生了|怀孕|去世|走了|买了|卖了|开张|毕业|退休|录取|确诊|领证|[不没]有?\p{Script=Han}{0,4}了(?!\p{Script=Han})|[当生养]了|送(?:给|人)|生的/iu

/** Caches the worth of turns by their documents, because every overview reads the worth of all turns. */
const worthOfTurns = new WeakMap<object, { readonly text: string; readonly worth: number }>()

/** Returns what a text is worth, whatever strand it belongs to. */
export function readWorth(telling: Telling): number {
  const { text, isStatement, document } = telling
  if (isStatement || document === undefined) return weighText(telling)
  const known = worthOfTurns.get(document)
  if (known?.text === text) return known.worth
  const worth = weighText(telling)
  worthOfTurns.set(document, { text, worth })
  return worth
}

function weighText({ text, isStatement, document }: Telling): number {
  const { terms, traits } = document ?? analyseText(text)
  const has = (trait: number): number => ((traits & trait) === 0 ? 0 : 1)
  return (
    has(TextTrait.holdsName) * WORTH.name +
    has(TextTrait.holdsNumber) * WORTH.number +
    has(TextTrait.firstPerson) * WORTH.first +
    has(TextTrait.onlyAsks) * WORTH.asks +
    (CHANGES.test(text) ? WORTH.change : 0) +
    (isStatement ? WORTH.statement : 0) +
    Math.log1p(Math.min(FULL, terms.length)) / Math.log1p(FULL) +
    (text.length < 12 ? -0.5 : 0)
  )
}

export interface Wanted {
  /** Maximum number of texts. */
  readonly most: number
  /** Whether room that is left goes to the texts of most worth, whatever their strand. */
  readonly fills: boolean
}

/**
 * Chooses the texts of most worth, spread over the strands: the first of each strand, then the second of each, and so on. A text of
 * several strands counts for all of them. Pure.
 */
export function chooseTelling(
  tellings: readonly Telling[],
  strands: readonly Strand[],
  { most, fills }: Wanted,
): Telling[] {
  const rankings = strands.map((strand) => rankForStrand(tellings, strand))
  const chosen = new Map<string, Telling>()
  const longest = Math.max(0, ...rankings.map((ranking) => ranking.length))
  for (let rank = 0; rank < longest; rank++) {
    for (const ranking of rankings) {
      const telling = ranking[rank]
      if (telling !== undefined && chosen.size < most) chosen.set(telling.id, telling)
    }
  }
  const rest = fills ? byWorth(tellings) : []
  for (const telling of rest) if (chosen.size < most) chosen.set(telling.id, telling)
  return [...chosen.values()]
}

/** A text with its worth for a strand. */
interface WeighedTelling {
  readonly telling: Telling
  readonly worth: number
}

/** Worth of each cue of a strand, and the number of cues that count. */
const CUES = { worth: 0.4, most: 3 } as const

/** Ranks the texts that belong to a strand, by its cues or its keys. */
function rankForStrand(tellings: readonly Telling[], strand: Strand): Telling[] {
  const weighed = tellings.flatMap((telling): WeighedTelling[] => {
    const isByKey = telling.key !== null && strand.keys.includes(telling.key)
    const cues = countCues(`${telling.text}\n${telling.answers ?? ''}`, strand)
    if (!isByKey && cues === 0) return []
    const worth = readWorth(telling) + (isByKey ? WORTH.key : 0) + CUES.worth * Math.min(CUES.most, cues)
    return [{ telling, worth }]
  })
  return weighed.length === 0 ? [] : orderStrand(weighed)
}

/** The cues of strands as global patterns, which count every match. */
const globalCues = new WeakMap<RegExp, RegExp>()

function countCues(text: string, { cues }: Strand): number {
  const all = globalCues.get(cues) ?? new RegExp(cues.source, 'giu')
  globalCues.set(cues, all)
  return text.match(all)?.length ?? 0
}

/** Share of the best worth of a strand from which on a text may be its first or its latest. */
const TELLING_SHARE = 0.6

/** Orders the texts of a strand: the earliest of great worth, then the latest of them, which says how things are now, then the rest. */
function orderStrand(weighed: readonly WeighedTelling[]): Telling[] {
  const best = Math.max(...weighed.map(({ worth }) => worth))
  const isOfGreatWorth = ({ worth }: WeighedTelling): boolean => worth >= TELLING_SHARE * best
  const [first, ...middle] = weighed.filter(isOfGreatWorth).toSorted((a, b) => a.telling.at - b.telling.at)
  if (first === undefined) return []
  const latest = middle.pop()
  const rest = [...middle, ...weighed.filter((entry) => !isOfGreatWorth(entry))]
  const restByWorth = rest.toSorted((a, b) => b.worth - a.worth)
  const ordered = latest === undefined ? [first, ...restByWorth] : [first, latest, ...restByWorth]
  return ordered.map(({ telling }) => telling)
}

/** Orders texts by their worth, whatever their strand. */
function byWorth(tellings: readonly Telling[]): Telling[] {
  return tellings
    .map((telling) => ({ telling, worth: readWorth(telling) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ telling }) => telling)
}
