// Lists the areas of a life (“strands”) that an overview of a person covers, with the words by which a text belongs to one.
import { pattern, type Matter } from '@keepsake/text'

/** An area of a person's life, such as their work. A text belongs to a strand if a cue matches it, and a fact also by its key. */
export interface Strand {
  readonly id: StrandId
  /** Keys of the persona sheet that belong to it, the most important first. */
  readonly keys: readonly string[]
  /** Matches words by which users speak of this area of their own life. */
  readonly cues: RegExp
}

/** `named` is the strand of one person whom the user names. */
export type StrandId = keyof typeof KEYS_AND_CUES | 'named'

/** Pattern of a possessive of the user, in talk or in a statement about them, with up to two words after it: “my two older”. */
const MY = String.raw`\b(?:my|our|m[ae]|user['’]s)\s+(?:\w+[ -]){0,2}?`

/** Makes a pattern that matches these nouns after “my”, and further patterns. */
function my(nouns: string, ...more: string[]): RegExp {
  return new RegExp([`${MY}(?:${nouns})\\b`, ...more].join('|'), 'i')
}

/** Start of a pattern for relatives without “my”, who are the user's own: “mum's fine”, but not “a mum” or “his mum”. */
const BARE = String.raw`(?<!\b(?:an?|the|his|her|their|your|whose|\w+['’]s)\s(?:\w+\s)?)\b(?:`

/**
 * The keys of each strand, and its cues. A pattern lists the English words of the area and then the Chinese ones. Spoken Chinese often
 * omits 我的 (“my”), so Chinese nouns match without it.
 */
const KEYS_AND_CUES = {
  self: [
    'name nickname age birthday origin nationality identity background languages religion'.split(' '),
    pattern('i')`
      \b(?:my name(?:['’]s| is)|call(?:s|ed)? me|i['’]?m from|i (?:am|was) (?:from|born)|born in|grew up|i['’]?m \d\d\b
        |turn(?:ed|ing)? \d\d\b|years? old|my birthday|user(?:['’]s name| is called| is \d\d| is from| comes from| was born))
      |我叫|我姓|我今年|岁了?|老家|我是[^，。？]{1,8}人|出生|生日|长大
    `,
  ],
  home: [
    ['residence', 'living-with', 'possessions'],
    pattern('i')`
      \b(?:i|we|user)(?:['’]ve| have|['’]m| am| are| just)?\s*(?:live[sd]?|living|moved?|moving|rent(?:ed|ing)?
        |bought (?:a|the) (?:flat|house|place))\b
      |\ba (?:\w+[ -]){0,2}(?:flat|apartment|house|cottage|bungalow|bedsit)\b
      |\b(?:my|our|new|the) (?:\w+ )?(?:flat|apartment|house|place|room|landlord|landlady|rent|neighbou?rhood|lease|mortgage
        |home town)\b
      |\b(?:moved|moving) (?:in|out|to|into|house|home)\b
      |搬家|搬到|搬进|搬去|住在|住的|租|房东|房子|新家|小区|我家在
    `,
  ],
  work: [
    ['occupation', 'employer', 'field-of-work', 'skills', 'achievements'],
    pattern('iu')`
      \bi(?:['’]m|['’]ve been| am)? (?:work(?:ed|ing)?|teach|taught|drive|drove|run|ran|manage[ds]?|nursed|cook(?:ed)? for
        |freelanc\w+|employed|retired|train(?:ed|ing) as
        |a (?:self-employed )?\w+(?:er|or|ist|ian|man|woman|nurse|cook|chef|clerk))\b
      |\b(?:my|a|the|new|his|user['’]s) (?:\w+ )?(?:job|work|shifts?|office|company|firm|salary|boss|employer|clients?
        |contract|trade|business|workshop|apprentice\w*)\b
      |\b(?:hired|fired|laid off|handed in|resign\w*|retire[ds]?|promot\w+|pension|apprentice|freelanc\w+|redundan\w+
        |got the job|job offer|first day at|day off)\b
      |\bworks? (?:as|at|for|in)\b
      |上班|工作|公司|老板|领导|同事|辞职|入职|跳槽|退休|加班|工资|店里|单位|我是(?:一名|个|做|干)|当(?:老师|医生|护士|司机)
      |升职|兼职|打工|家教|新活|开店|开张|创业|[做写干搞跑开教卖修当]\p{Script=Han}{1,5}的(?!\p{Script=Han})
    `,
  ],
  studies: [
    ['education', 'learning'],
    pattern('i')`
      \b(?:studying|studies|student|degree|university|college|uni|semester|thesis|dissertation|exams?|evening class(?:es)?
        |night school|course|lessons?|graduat\w+|apprentic\w+)\b
      |大学|专业|读研|研究生|考试|学校|上课|论文|毕业|学期|驾照|驾校|在学|社团|学生会|转专业|录取|考上|分数|四级|六级
    `,
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
    pattern('iu')`
      \b(?:diagnos\w+|diabet\w+|asthma\w*|migraines?|arthritis|coeliac|celiac|epilep\w+|cancer|blood pressure|cholesterol
        |thyroid|heart (?:attack|condition|murmur)|stroke|sprain\w*|fractur\w+|broke my|torn|injur\w+|surgery
        |operat(?:ion|ed)|pregnan\w+|miscarr\w+|eczema|psoriasis|hernia|anaemi\w+|condition|syndrome|disease|disorder
        |symptoms?|relapse|flare|scan|biopsy|blood test|check-?up|swell\w*|swollen|rash|itch\w*|bleed\w*|aches?|pains?
        |painful|hurts?|sore|dizzy|bandage\w*|crutch\w*|wheez\w*|burn(?:t|ed) my|weigh(?:t|ed)?|\d+ ?kg
        |my (?:\w+ )?(?:back|knees?|hips?|shoulders?|wrists?|ankles?|eyes?|eyesight|hearing|ears?|heart|lungs?|stomach|skin|head(?:aches?)?|teeth|tooth|neck|hands?|foot|feet))\b
      |确诊|诊断|糖尿病|哮喘|偏头痛|头疼|高血压|血压|血糖|血脂|甲状腺|结节|关节|膝盖|腰|颈椎|手术|住院|体检|复查|怀孕|骨折
      |扭伤|发烧|感冒|胃病|胃|心脏|近视|过敏|病|[鼻胃肠肺肝咽皮关]\p{Script=Han}?炎|肿|疼|痛|头晕|流血|出血|发痒|[胖瘦]了
      |体重
    `,
  ],
  diet: [
    ['allergies', 'diet', 'dislikes'],
    pattern('i')`
      \b(?:allerg\w+|intoleran\w+|anaphyla\w+|epi-?pen|vegetarian|vegan|gluten|lactose|dairy|nuts?|shellfish
        |can['’]?t (?:eat|drink|have|stand)|don['’]?t (?:eat|drink|touch)|stopped (?:eating|drinking)|gave up
        |quit (?:smoking|drinking|coffee)|sober|smok(?:e|ing)|vap(?:e|ing)|alcohol|tastes? of)\b
      |过敏|不耐|忌口|不能[吃喝]|不[吃喝]|吃素|素食|戒(?:烟|酒|糖)|乳糖|麸质|海鲜|青霉素
    `,
  ],
  treatment: [
    ['health', 'health-state'],
    pattern('i')`
      \b(?:medic(?:ation|ine|ines)|tablets?|pills?|prescri\w+|dose|\d+ ?mg|inhaler|insulin|antibiotics?|painkillers?
        |injections?|jab|vaccin\w+|physio\w*|therap\w+|doctor|gp|dr\.?|consultant|specialist|nurse|hospital|clinic|dentist
        |optician|surgery|treatment)\b
      |吃药|药|打针|疫苗|医生|大夫|医院|门诊|牙医|理疗|针灸|治疗|康复
    `,
  ],
  mind: [
    ['mood', 'fears', 'weaknesses', 'routines'],
    pattern('i')`
      \b(?:sleep\w*|insomnia|nightmares?|anxi\w+|panic\w*|depress\w+|burn(?:t|ed)?[ -]?out|stress\w*|counsell?\w+|therapist
        |afraid|scared|terrified|phobia|grief|griev\w+|tired all|exhaust\w+)\b
      |失眠|睡不着|睡眠|睡得|焦虑|抑郁|压力|恐慌|害怕|怕|心理咨询|情绪|崩溃
    `,
  ],
  hobbies: [
    ['hobbies', 'routines', 'habits', 'likes', 'skills', 'learning', 'favourites'],
    pattern('i')`
      \b(?:hobb\w+|choir|band|orchestra|guitar|piano|cello|violin|drums|sing(?:ing)?|danc(?:e|ing)|paint(?:ing)?
        |draw(?:ing)?|knit\w*|sew\w*|crochet\w*|pottery|ceramics|clay|garden\w*|allotment|hik(?:e|ing)|climb\w*|swim\w*
        |running|marathon|cycl\w+|yoga|pilates|football|rugby|tennis|cricket|basketball|chess|fishing|bak(?:e|ing)
        |cook(?:ing)?|photograph\w*|read(?:ing)? (?:a|the|club)|book club|gaming|board games?
        |i (?:love|enjoy|play|collect|volunteer)|in my free time|every (?:mon|tues|wednes|thurs|fri|satur|sun)day
        |on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b
      |爱好|喜欢|跳舞|广场舞|唱歌|画画|书法|摄影|弹琴|吉他|钢琴|跑步|马拉松|游泳|瑜伽|健身|爬山|徒步|骑车|打球|羽毛球|篮球
      |足球|下棋|钓鱼|种花|种菜|做饭|烘焙|看书|读书会|追剧|打游戏|拼图
    `,
  ],
  events: [
    ['relationship-change', 'experiences'],
    pattern('iu')`
      \b(?:died|passed away|funeral|buried|ashes|was born|gave birth|divorc\w+|split up|broke up|married|wedding
        |moved (?:in|out|to)|got the (?:job|place)|laid off|retired)\b
      |去世|过世|不在了|走了|没了|葬|下葬|节哀|出生|生了|生的|满月|离婚|分手|结婚|领证|办酒|搬[家到进去]|裁|辞
    `,
  ],
  money: [
    [],
    pattern('iu')`
      \b(?:money|rent|salary|wages?|pa(?:y|ys|id|ying)|earn\w*|sav(?:e|ed|ing|ings)|debts?|loans?|mortgage|bills?|budget
        |pension|income|tax(?:es)?|grant|deposit|fees?|costs?|afford|overdraft|bank|owes?)\b
      |[£$€¥]\s?\d|\d ?(?:quid|pounds|euros?|dollars?|k)\b
      |钱|工资|房租|租金|收入|存款|攒|贷|债|欠|奖金|补贴|学费|预算|押金|[\d百千万两]+多?[块元]
    `,
  ],
  plans: [
    ['plans', 'goals', 'wishes', 'current-activity', 'promises'],
    pattern('i')`
      \b(?:i['’]?m going to|we['’]?re going to|i(?:['’]m| am)? plan(?:s|ning)?|plan to|i want to|i hope to|hoping to
        |dream(?:ing)? of|saving (?:up )?(?:for|to)|signed up|applied|deadline
        |next (?:week|month|year|spring|summer|autumn|winter)|booked|i(?:['’]ve)? decided
        |i(?:['’]m| am) (?:writing|building|learning|training|working on)|contract)\b
      |打算|计划|准备|想要|希望|报名|报了|决定|下个?月|明年|攒钱|预订|定了|目标|马上要
    `,
  ],
} as const satisfies Readonly<Record<string, readonly [keys: readonly string[], cues: RegExp]>>

/** The strands of each matter that a question can ask for. */
// prettier-ignore
const OF_MATTER: Readonly<Record<Matter, readonly (keyof typeof KEYS_AND_CUES)[]>> = {
  person: ['self', 'events', 'work', 'home', 'partner', 'children', 'health', 'parents', 'siblings',
    'hobbies', 'studies', 'pets', 'plans', 'friends', 'diet', 'relatives'],
  people: ['events', 'partner', 'children', 'parents', 'siblings', 'friends', 'relatives', 'colleagues', 'pets'],
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

/** Returns the strands that an overview of these matters covers, the most important first. */
export function strandsOf(matters: readonly Matter[]): Strand[] {
  const ids = new Set(matters.flatMap((matter) => OF_MATTER[matter]))
  return [...ids].map((id) => {
    const [keys, cues] = KEYS_AND_CUES[id]
    return { id, keys, cues }
  })
}

/** Words of each matter. Their vector finds texts of similar meaning. */
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

/** Returns the words of these matters, for a search by meaning. */
export function aboutOf(matters: readonly Matter[]): string {
  const words = matters.map((matter) => ABOUT[matter])
  return words.join(' ').trim()
}
