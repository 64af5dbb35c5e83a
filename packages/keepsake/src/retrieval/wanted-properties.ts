/** A property that a question asks of somebody or something, as words can be seen to tell it. */
interface Property {
  readonly asks: RegExp
  readonly holds: RegExp
}

const NUMBER = String.raw`(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w+)?|hundred)`
const MONTH =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec'

function words(...alternatives: string[]): RegExp {
  return new RegExp(String.raw`\b(?:${alternatives.join('|')})\b`, 'iu')
}

const ENGLISH: readonly Property[] = [
  {
    asks: words(
      'for (?:work|a living)',
      "(?:what(?:'s| is| was)|which) (?:\\S+ ){1,4}?(?:job|trade|profession|occupation|career)",
      'what job',
      'line of work',
    ),
    holds: words(
      'work(?:s|ed|ing)?',
      'jobs?',
      'shifts?',
      'career',
      'retired',
      'employed',
      'hired',
      'trained as',
      '(?:teach|drive|run|sell|repair|build|manage|own|bake|nurse|farm|fish|clean|deliver|cook|design|translate|research)(?:s|es)',
      '(?:taught|drove|ran|sold|fixes|fixed|built)',
      '(?:an?|the|his|her|my) (?:[\\w-]+ ){0,2}?\\w+(?:er|or|ist|ian|man|woman|nurse|cook|chef|clerk|vet|guard|judge|tailor|pilot|coach|priest|pastor|smith|wright|surgeon)',
    ),
  },
  {
    asks: words('colou?rs?', 'what shade'),
    holds: words(
      '(?:dark |light |pale |bright |off-)?(?:red|blue|green|yellow|orange|purple|pink|brown|black|white|gr[ea]y|beige|cream|navy|turquoise|teal|maroon|gold(?:en)?|silver|lilac|violet|scarlet|crimson|khaki|mauve|ginger|blond|tan|burgundy|ivory)(?:ish)?',
    ),
  },
  {
    asks: words('how old', 'what age', "(?:what(?:'s| is| was)) \\S+ age"),
    holds: new RegExp(
      String.raw`\b(?:i['’]?m|am|is|are|was|be|been|(?:she|he|it|they|who)['’](?:s|re)|turn(?:s|ed|ing)?|aged?|nearly|almost|over|past|of)\s+(?:(?:now|nearly|almost|only|just|about|over|already)\s+)?${NUMBER}\b(?!\s?(?:%|am|pm|km|kg|cm|years? (?:ago|later)|minutes?|hours?|days?|weeks?|miles?|euros?|pounds?|quid|people|times))|\b${NUMBER}[ -]?(?:years?|yrs?|months?|weeks?)?[ -](?:years? )?old\b|,\s*${NUMBER},|\bborn in (?:19|20)\d\d|^${NUMBER}\b`,
      'iu',
    ),
  },
  {
    asks: words('how (?:tall|high)', "(?:what(?:'s| is)) \\S+ height"),
    holds:
      /\b(?:\d[.,]\d+ ?m|\d+ ?cm|\d+ ?(?:ft|foot|feet)|(?:five|six) (?:foot|feet)|inch(?:es)?|met(?:re|er)s?|tall)\b|\d['’]\d/iu,
  },
  {
    asks: words('how heavy', 'how much does \\S+(?: \\S+)? weigh', 'weight'),
    holds:
      /\b(?:\d[\d.,]* ?(?:kg|kilos?|lbs?|pounds?|stone|g|grams?|tons?)|weigh\w*|kilos?|stone)\b|\d\d\.\d/iu,
  },
  {
    asks: words('what (?:strength|dose|dosage)', 'how many (?:mg|milligrams?)', 'dosage'),
    holds: /\d ?(?:mg|mcg|ml|µg|milligrams?|units)\b|\bmilligrams?\b/iu,
  },
  {
    asks: words(
      '(?:percent|per ?cent|percentage)',
      '(?:what|which|how many) (?:\\w+ )?(?:score|marks?|grades?|points?)',
    ),
    holds:
      /\d\s?%|\b(?:per ?cent|percent|out of|marks?|score[ds]?|grades?|distinction|merit|credit|points?)\b|\d+\/\d+/iu,
  },
  {
    asks: words('birthday', 'date of birth', 'born on'),
    holds: words(
      'birthday',
      'bday',
      'born',
      `(?:${MONTH}) \\d{1,2}(?:st|nd|rd|th)?`,
      `\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})`,
      `(?:be|turns?|turning) (?:\\S+ ){1,2}in (?:${MONTH})`,
    ),
  },
  {
    asks: words('surname', 'last name', 'family name', 'maiden name', 'full name'),
    holds:
      /\b(?:surname|last name|family name|maiden name|née|nee)\b|(?:^|[^.!?…\s]\s+|["“'(])(?:\p{Lu}[\p{Ll}’'-]+ ){1,2}\p{Lu}[\p{Ll}’'-]+/u,
  },
  {
    asks: words('(?:what|which) breed', 'breed of'),
    holds: words(
      'breed',
      'cross(?:ed|breed)?',
      'mongrel',
      'mutt',
      '\\w*poo',
      'terrier',
      'spaniel',
      'collie',
      'retriever',
      'labrador',
      'lab',
      'poodle',
      'whippet',
      'lurcher',
      'greyhound',
      'dachshund',
      'sausage dog',
      'beagle',
      'husky',
      'corgi',
      'pug',
      'bulldog',
      'boxer',
      'mastiff',
      'shepherd',
      'alsatian',
      'pointer',
      'setter',
      'hound',
      'chihuahua',
      'shih tzu',
      'tabby',
      'siamese',
      'persian',
      'maine coon',
      'moggy',
      'bengal',
      'ragdoll',
      'tortoiseshell',
      'short-?hair',
    ),
  },
  {
    asks: words('(?:which|what|name of (?:the|my|his|her|\\S+)) (?:\\w+ )?(?:school|college|university|uni)'),
    // A school that is named: “her school” and “a good university” name none. Who writes without capitals names it all the same.
    holds:
      /\b(?!(?:an?|the|my|your|his|her|our|their|this|that|at|to|from|in|of|and|or|new|old|good|after|before|for|with|is|was|whole|primary|secondary|high|middle|junior|art|night|summer|hate[sd]?|like[sd]?|love[sd]?|start(?:s|ed)?|leave|left|finish(?:ed)?)\b)[\p{L}’'-]{3,}\s(?:(?:primary|secondary|high|middle|junior|grammar|community)\s)?(?:school|college|university|uni|academy|institute)\b|\b(?:school|college|university|academy)\s(?:of|called|in)\s\p{L}/iu,
  },
  {
    asks: words('(?:which|what|name of (?:the|my|his|her)) (?:\\w+ )?(?:street|road|address)', 'address'),
    holds:
      /\b(?:\p{Lu}[\p{L}’'-]+ (?:street|road|lane|avenue|drive|close|terrace|crescent|square|row|hill|way|gardens|place|mews)|\p{Lu}\w+(?:straat|weg|laan|straße|strasse)|(?:st|rd|ave)\.|rue|via|calle)\b/iu,
  },
  {
    asks: words(
      'd(?:ie|ied|ying) (?:of|from)',
      'cause of (?:death|\\S+ death)',
      'how did \\S+(?: \\S+)? die',
    ),
    holds: words(
      'cancer',
      'stroke',
      'heart',
      'attack',
      'accident',
      'crash',
      'pneumonia',
      'covid',
      'tumou?r',
      'disease',
      'illness',
      'kidneys?',
      'liver',
      'lungs?',
      'infection',
      'dementia',
      'leukaemia',
      'overdose',
      'drowned',
      'fell',
      'old age',
      'in (?:his|her|their) sleep',
    ),
  },
  {
    asks: words('(?:play|which|what) (?:an? )?(?:musical )?instruments?'),
    holds: words(
      'pianos?',
      'guitars?',
      'violin',
      'fiddle',
      'cello',
      'drums?',
      'flute',
      'sax(?:ophone)?',
      'trumpet',
      'organ',
      'accordion',
      'ukulele',
      'harp',
      'clarinet',
      'bass',
      'keyboards?',
      'recorder',
      'banjo',
      'trombone',
      'horn',
      'play(?:s|ed|ing)? the',
    ),
  },
]

const HAN_NUMBER = '[\\d一二三四五六七八九十百千万两半零]'

const CHINESE: readonly Property[] = [
  { asks: /颜色|什么色|啥色/, holds: /[红黄蓝绿白黑灰紫粉橙棕青褐]色?的?|米色|卡其/ },
  {
    asks: /生日|哪天出生|几号出生/,
    holds: new RegExp(`${HAN_NUMBER}+月(?:${HAN_NUMBER}+|底|初)|生日|腊月|正月|出生`),
  },
  {
    asks: /多大(?:了|年纪|岁数)?[？?]?$|几岁|多少岁|年纪|年龄/,
    holds: new RegExp(
      `${HAN_NUMBER}+岁|${HAN_NUMBER}{2,}了|今年${HAN_NUMBER}{2}|才${HAN_NUMBER}{2}|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|\\d\\d后|本命年`,
    ),
  },
  { asks: /(?<![爬飞跳走])多高|身高/, holds: new RegExp(`${HAN_NUMBER}米${HAN_NUMBER}|厘米|cm|公分|个子`) },
  { asks: /多重|体重|几斤/, holds: new RegExp(`${HAN_NUMBER}[多来]?(?:公?斤|千克|kg|克|两)`) },
  {
    asks: /(?:哪所|哪个|哪家|什么)(?:大学|学校|中学|小学|高中|学院)|哪(?:所|里|儿)(?:大学)?(?:毕业|读书|上学)/,
    holds:
      /(?<![读上考个的了念进])(?<!\p{Script=Han}[读上考个的了念进])\p{Script=Han}{2,}(?:大学|学院|中学|小学|高中|一中|二中|实验)|师大|交大|理工|财大|科大|工大|农大|浙大|北大|清华|复旦/u,
  },
  {
    asks: /(?:做|干|从事)(?:什么|啥)(?:工作|职业|行业|活|的)|什么(?:工作|职业)|(?:工作|职业)是(?:什么|啥)/,
    holds:
      /上班|工作|[做写干当搞卖教修开跑画种养管](?:了|着|过)?\p{Script=Han}{1,5}的|店|铺|摊|食堂|老师傅|当(?:老师|医生|护士|司机|兵|保安|会计)|开(?:了家|店|公司|出租|车|公交)|老师|医生|护士|司机|工程师|程序员|设计师|会计|律师|警察|师傅|店员|服务员|老板|经理|厨师|记者|编辑|教授|保姆|保安|快递|外卖|工人|公务员|退休|打工|做生意|单位|公司|厂里/u,
  },
  {
    asks: /(?:哪|什么|啥)(?:一?家|个|名)?(?:医院|公司|厂|幼儿园|店|酒店|饭店|驾校|银行)|(?:医院|公司|厂|幼儿园|店|酒店|饭店|驾校|银行)(?:叫|名字)/,
    holds:
      /(?<![那这一几哪个的我你他她了在去到进住跑开])\p{Script=Han}{2,}(?<![那这一几哪个的我你他她了在去到进住跑开]|两家|那家|这家|一家)(?:医院|公司|厂|幼儿园|店|酒店|饭店|驾校|银行|附院|面馆)|叫(?!什么|啥|我|你|他|她)\p{Script=Han}{2,}|[“「『《]/u,
  },
  {
    asks: /(?:哪|什么|啥)(?:一?条)?(?:路|街|巷)|地址/,
    holds: /\p{Script=Han}{2,}(?:路|街|巷|大道|胡同|弄)|\d号/u,
  },
  {
    asks: /(?:什么|啥|哪种)病|怎么(?:死|去世|走的|没的)|病因/,
    holds:
      /癌|\p{Script=Han}炎|中风|脑梗|心梗|肿瘤|白血病|症|糖尿病|高血压|痛风|心脏|支架|车祸|肺气肿|结石|结节|骨折/u,
  },
  {
    asks: /(?:什么|啥|哪种|哪个)药/,
    holds: /\p{Script=Han}{2,}(?:片|胶囊|平|丸|林|素|冲剂|颗粒|膏|汀|沙坦)/u,
  },
  { asks: /多少分|几分|成绩/, holds: new RegExp(`${HAN_NUMBER}{2,}分?|满分|及格|第${HAN_NUMBER}`) },
  {
    asks: /(?:哪|什么|啥)(?:一?[部本首])?(?:电影|片子|书|歌|小说|剧|绘本|曲子)|(?:绘本|书|电影|歌|小说)叫/,
    holds: /《[^》]+》|[“「『"]|叫(?!什么|啥|我|你|他|她)\p{Script=Han}/u,
  },
  { asks: /乐器/, holds: /[琴鼓笛箫]|吉他|琵琶|二胡|唢呐|萨克斯|小号|古筝/ },
  { asks: /(?:听|喜欢)什么(?:音乐|歌)/, holds: /音乐|歌|摇滚|民谣|爵士|古典|说唱|戏|曲|专辑|演唱会/ },
]

const ASKS = /[?？]\s*$/
const SENTENCES = /(?<=[。！？!?.…\n])/u

/**
 * The property that a question asks for, where words can be seen to tell it: a colour, an age, a job. `null` for others.
 *
 * @returns what matches words that tell it
 * @example
 * readWantedProperty('What colour were the shoes?')?.test('I bought her red shoes') // true
 */
export function readWantedProperty(question: string): RegExp | null {
  const properties = /\p{Script=Han}/u.test(question) ? CHINESE : ENGLISH
  return properties.find(({ asks }) => asks.test(question))?.holds ?? null
}

/** Whether a text tells a property. What it asks it does not tell. */
export function tellsProperty(holds: RegExp, text: string): boolean {
  const told = text.split(SENTENCES).filter((sentence) => !ASKS.test(sentence))
  return holds.test(told.join(''))
}
