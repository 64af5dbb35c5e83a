import type { Finding } from '../finding.ts'
import type { MemoryType } from '../../memories/memory.ts'

/** A pattern over a clause whose subject is 我, and what it says. `over` and `ended` as in `Finding`. */
export interface ChineseFrame {
  readonly pattern: RegExp
  /** Key, and the value from the groups; `null` where the match is none after all. */
  readonly read: (groups: readonly string[]) => Reading | readonly Reading[] | null
}

interface Reading {
  readonly key: string
  readonly value: string
  readonly state?: Finding['state']
  readonly type?: MemoryType
  readonly isEvent?: boolean
}

const KIN: Readonly<Record<string, string>> = {
  partner: '老公|老婆|丈夫|妻子|爱人|男朋友|女朋友|男友|女友|对象|未婚夫|未婚妻|先生|太太|媳妇',
  parents: '妈妈|爸爸|母亲|父亲|父母|爸妈|老爸|老妈|妈|爸|继父|继母',
  siblings: '哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|双胞胎|哥|弟|姐|妹',
  children: '儿子|女儿|孩子|宝宝|小孩|闺女',
  relatives:
    '爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|舅妈|姑姑|姑妈|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹|侄子|侄女|外甥|孙子|孙女|婆婆|公公|岳父|岳母',
  friends: '朋友|好朋友|闺蜜|室友|邻居|死党|哥们',
  colleagues: '同事|老板|领导|上司|老师|导师|同学|教练',
}
const KIN_WORD = Object.values(KIN)
  .join('|')
  .split('|')
  .sort((one, other) => other.length - one.length)
  .join('|')
const PET = '猫咪?|小猫|小狗|狗狗?|狗|金毛|柯基|泰迪|哈士奇|布偶|兔子|仓鼠|鹦鹉|乌龟|金鱼|小鸟|马'
const DEGREE =
  '(?:很|非常|特别|超级?|真的|一直|也|还|都|比较|挺|更|从小就?|平时|十分|其实|就|最|尤其|蛮|向来|有点|实在|确实)*'
const POINTED = /^(?:[他她它这那]|这样|那样|的|了|过|上了?$|什么|一个人$|自己$|别人|大家|在|着|一下|一起)/
const NUMBER = '[0-9０-９一二三四五六七八九十百两]{1,4}'

function kinKey(word: string): string {
  for (const [key, words] of Object.entries(KIN)) if (words.split('|').includes(word)) return key
  return 'relatives'
}

function trim(value: string): string {
  return value.replace(/(?:了|啦|呀|啊|哦|呢|吧|的说|而已|之类的|等等)$/, '').trim()
}

function short(value: string | undefined, longest: number): string | null {
  const trimmed = trim(value ?? '')
  return trimmed === '' || trimmed.length > longest || POINTED.test(trimmed) ? null : trimmed
}

function simple(
  key: string,
  longest = 20,
  rest: { state?: Finding['state']; type?: MemoryType; isEvent?: boolean } = {},
): ChineseFrame['read'] {
  return ([value]) => {
    const kept = short(value, longest)
    return kept === null ? null : { key, value: kept, ...rest }
  }
}

const TRADE =
  /(?:师|员|医生|护士|教授|经理|老板|司机|警察|作家|画家|歌手|演员|记者|编辑|会计|工人|农民|学生|研究生|博士生|大学生|高中生|初中生|厨子|律师|军人|商人|科学家|音乐家|艺术家|企业家|创业者|自由职业者|公务员|主播|博主|实习生|保安|导演|秘书|助理|主管|总监|翻译|模特)$/
const FAVOURITE: readonly (readonly [RegExp, string])[] = [
  [/食物|菜|美食|水果|甜点|零食|吃的/, 'favourite-food'],
  [/饮料|酒|茶|喝的/, 'favourite-drink'],
  [/颜色/, 'favourite-colour'],
  [/动物|宠物/, 'favourite-animal'],
  [/歌手|乐队|明星|音乐家/, 'favourite-artist'],
  [/歌曲?$/, 'favourite-song'],
  [/音乐/, 'favourite-music'],
  [/电影/, 'favourite-film'],
  [/电视剧|节目|动漫|剧/, 'favourite-show'],
  [/作家|作者/, 'favourite-author'],
  [/书|小说/, 'favourite-book'],
  [/游戏/, 'favourite-game'],
  [/球队/, 'favourite-team'],
  [/运动/, 'favourite-sport'],
  [/季节/, 'favourite-season'],
  [/城市|地方|国家/, 'favourite-place'],
  [/科目|课/, 'favourite-subject'],
  [/花/, 'favourite-flower'],
]

function favourite([kind = '', value = '']: readonly string[]): ReturnType<ChineseFrame['read']> {
  const kept = short(value, 20)
  if (kept === null || /一件事|事情|部分/.test(kind)) return null
  const key = FAVOURITE.find(([pattern]) => pattern.test(kind))?.[1]
  return key === undefined ? { key: 'favourites', value: `${kind}：${kept}` } : { key, value: kept }
}

function job([value]: readonly string[]): ReturnType<ChineseFrame['read']> {
  const kept = short(value, 16)
  if (kept === null || /的(?:人|一员)?$|人$/.test(kept)) return null
  return {
    key: TRADE.test(kept)
      ? kept.endsWith('生') && !kept.endsWith('医生')
        ? 'education'
        : 'occupation'
      : 'identity',
    value: kept,
  }
}

const frame = (pattern: string, read: ChineseFrame['read']): ChineseFrame => ({
  pattern: new RegExp(pattern, 'u'),
  read,
})
/** Liking, the other way and its end. */
const LIKING: readonly ChineseFrame[] = [
  frame(`^我(?:个人)?最(?:喜欢|爱)(?:吃|喝|看|听|玩|去)?的(.{1,8}?)(?:是|就是|叫)(.+)$`, favourite),
  frame(`^我${DEGREE}(?:不再喜欢|不喜欢)(.+?)了$`, simple('likes', 20, { state: 'ended' })),
  frame(
    `^我${DEGREE}(?:不(?:太|怎么|大|是很)?喜欢|讨厌|厌恶|受不了|不(?:太|怎么)?爱|反感)(.+)$`,
    simple('dislikes'),
  ),
  frame(`^我${DEGREE}(?:喜欢|喜爱|热爱|酷爱|迷上了?)(.+)$`, simple('likes')),
  frame(
    `^我${DEGREE}爱((?:吃|喝|看|听|玩|打|读|唱|跳|画|写|做|逛|旅|运动|音乐|跑|爬|游).*)$`,
    simple('likes'),
  ),
  frame(`^我(?:的)?(?:兴趣爱好|业余爱好|爱好|兴趣)(?:主要)?(?:是|有|包括)(.+)$`, simple('hobbies', 30)),
]

const BEING: readonly ChineseFrame[] = [
  frame(
    `^(?:我(?:的)?(?:名字)?(?:叫做?|名叫|的名字(?:叫|是))|我的名字是)([\\p{Script=Han}·]{2,4}|[A-Z][A-Za-z]{1,15})$`,
    ([name = '']) =>
      /[了去来着他她它车过把得在给有的上下个]/.test(name) ? null : { key: 'name', value: name },
  ),
  frame(`^我(?:今年|现在|已经|刚|刚刚|刚满|快|也)*(${NUMBER})(?:周)?岁(?:半)?(?:了|啦)?$`, simple('age')),
  frame(`^我(?:的)?生日(?:是|在)(?:在)?(.*(?:月|[日号]).*)$`, simple('birthday')),
  frame(`^我(?:出生于|生于|是)((?:19|20)?\\d{2}年(?:出生)?(?:的)?)$`, ([value = '']) => ({
    key: 'birthday',
    value: value.replace(/出生|的/g, ''),
  })),
  frame(`^我(?:出生在|出生于)(.{2,12})$`, simple('background')),
  frame(`^我(?:的老?家(?:乡)?(?:是|在)|老家(?:是|在)|来自于?|家乡(?:是|在))(.{2,12})$`, simple('origin', 12)),
  frame(`^我(?:是)([\\p{Script=Han}]{2,5}人)$`, ([value = '']) =>
    (/[好坏女男老病大小闲单个主客路名普年成中间的]人$/.test(value) && !value.endsWith('中国人')) ||
    /工人|军人|商人|诗人|那|这|个|位|名|型/.test(value)
      ? null
      : { key: 'origin', value: value.replace(/人$/, '') },
  ),
  frame(`^我(?:现在|已经|也|还|目前)*(?:是)(?:一名|一个|一位|名|个|位)(.+)$`, job),
  frame(`^我(?:现在|已经|也|目前)*是([^一个名位的]{2,8})$`, (groups) =>
    TRADE.test(groups[0] ?? '') ? job(groups) : null,
  ),
  frame(
    `^我(?:现在|已经|目前|还|一直)*(?:是)?(单身|已婚|未婚|离异|结婚|离婚|订婚)(?:了|的)?$`,
    simple('marital-status'),
  ),
  frame(`^我(?:的)?星座是(.{2,4})$|^我是(.{1,3}座)(?:的)?$`, (groups) => ({
    key: 'zodiac',
    value: groups.find((one) => one !== '') ?? '',
  })),
  frame(`^我(?:属)([鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?$`, simple('zodiac')),
  frame(
    `^我(?:有|得了|患有|患了|得过)([^，]{0,8}(?:病|症|炎|癌|哮喘|高血压|近视|失眠))$`,
    simple('health', 12),
  ),
  frame(`^我(?:从小|一直|天生)?对(.{1,12}?)(?:严重)?过敏$`, simple('allergies')),
  frame(`^我(?:是|吃)((?:素食主义|素食)?者|素|清真)(?:的)?$`, ([value = '']) => ({
    key: 'diet',
    value: value === '者' ? '素食者' : value,
  })),
  frame(`^我(?:从来|从|一直|平时)?不(?:吃|喝|抽)([^了得到惯完起下]{1,10})(?:的)?$`, ([value = '']) =>
    POINTED.test(value)
      ? null
      : {
          key: 'diet',
          value: `不${/烟/.test(value) ? '抽' : /酒|咖啡|茶|奶$/.test(value) ? '喝' : '吃'}${value}`,
        },
  ),
  frame(`^我${DEGREE}(?:害怕|恐惧|怕)((?!的).{1,10})$`, simple('fears', 10)),
  frame(
    `^我(?:最近|今天|现在|这几天|这段时间)*(?:感到|感觉|觉得|心情|情绪)(?:很|非常|特别|有点儿?|有些|十分|好|挺|比较|真的|一点)*(累|疲惫|疲倦|开心|高兴|快乐|幸福|难过|伤心|孤独|寂寞|焦虑|紧张|郁闷|沮丧|低落|失落|害怕|无聊|迷茫|生气|烦躁|压抑|不安|不好|糟糕|愉快|轻松|委屈|绝望|无助|困惑)(?:了|极了)?$`,
    simple('mood'),
  ),
]

const DOING: readonly ChineseFrame[] = [
  frame(
    `^我(?:们)?(?:现在|目前|一直|和.{1,6}一起|一个人|跟.{1,6}一起|也)*(?:住在|居住在|定居在?|生活在)([^的时]{1,14}?)(?:里|了)?$`,
    simple('residence', 14),
  ),
  frame(
    `^我(?:们)?(?:(?:去年|今年|刚|刚刚|上个?[周月]|最近|已经|前年|昨天|现在).{0,4})*搬(?:家)?(?:到|来|去|回)了?([^的]{1,12}?)(?:住|生活|去|来)?(?:了)?$`,
    simple('residence', 12, { isEvent: true }),
  ),
  frame(`^我(?:现在|目前|一直)*和(.{1,8}?)(?:一起)?住(?:在一起)?$`, simple('living-with')),
  frame(`^我(?:现在|目前|一直|也)*在(.{2,14}?)(?:工作|上班|任职|就职|实习)(?:了)?$`, simple('employer', 14)),
  frame(
    `^我(?:现在|目前|一直|也|已经|刚)*在(.{2,20}?)(?:当|做|担任|任)(?:一[名个位])?([^的当做任]{2,8}?)(?:了)?$`,
    ([place = '', trade = '']) =>
      TRADE.test(trade) && short(place, 20) !== null
        ? [
            { key: 'employer', value: place },
            { key: 'occupation', value: trade },
          ]
        : null,
  ),
  frame(`^我(?:现在|目前|一直)*(?:从事)(.{2,12}?)(?:的)?(?:工作|行业)?$`, simple('field-of-work')),
  frame(`^我(?:现在)?(?:的)?(?:工作|职业)是(.{2,12})$`, ([value = '']) =>
    TRADE.test(value) ? { key: 'occupation', value: value.replace(/^一[名个位]/, '') } : null,
  ),
  frame(
    `^我(?:现在|目前|正|正在|还)*在(.{2,14}?)(?:上学|读书|念书|就读|上大学|读大学|读研究生|读研|读博|读高中|留学)$`,
    simple('education', 14),
  ),
  frame(
    `^我(?:的)?专业是(.{2,12})$|^我就读于(.{2,14})$|^我(?:在大学)?(?:是)?学(.{2,8}?)(?:专业)?的$`,
    (groups) => ({ key: 'education', value: groups.find((one) => one !== '') ?? '' }),
  ),
  frame(
    `^我(?:现在|最近|正|正在|开始|一直|也|已经开始)*(?:在|开始)学(?:习|着)?(?!校)(.{1,12})$`,
    simple('learning', 12),
  ),
  frame(`^我${DEGREE}(?:擅长|精通|拿手的?是)(.{1,12})$`, simple('skills', 12)),
  frame(`^我(?:会|能)(?:说|讲)(.{1,10}(?:语|话|文).{0,10})$`, simple('languages')),
  frame(
    `^我(?:也|还)?会((?:弹|拉|吹|画|唱|跳|游泳|开车|做饭|做菜|写代码|编程|下棋|下围棋|滑雪|滑冰|骑|书法|打鼓).{0,8})$`,
    simple('skills', 12),
  ),
  frame(
    `^我(?:也|还)?不会((?:弹|拉|吹|画|唱|跳|游泳|开车|做饭|做菜|编程|下棋|滑雪|滑冰|骑).{0,8})$`,
    simple('weaknesses', 12),
  ),
  frame(
    `^我(?:每天|每周末?|每个?月|每晚|经常|常常|平时|通常|一般|总是|每年|周末)(?:都|会|都会|早上|晚上|下午|早晨)*((?!想|觉得|感到|感觉|会?感|是|都是|也|在想|有点|很|担心|不).{2,18})$`,
    simple('habits', 18),
  ),
  frame(`^我(?:信仰|信奉|信)([^任心息用号].{0,5}教|佛|上帝)$`, simple('religion')),
]

const PLANNING: readonly ChineseFrame[] = [
  frame(
    `^我(?:们)?((?:(?:下|这|明|后|今)[^，]{1,4})?)(?:打算|计划|准备|决定)(?:好了?|要|了)?((?!好了$).{2,24})$`,
    ([when = '', what = '']) =>
      short(what, 24) === null ? null : { key: 'plans', value: `${when}${trim(what)}`, type: 'event' },
  ),
  frame(
    `^我(?:们)?((?:下个?[周月星]|明[天年]|后天|这个?周末|今晚)[^，]{0,4}?)(?:要|会|将要?)((?!想|觉得|努力|加油|好好|继续|尽|去$|试|注意|多|再|更|告诉).{2,20})$`,
    ([when = '', what = '']) => ({ key: 'plans', value: `${when}${trim(what)}`, type: 'event' }),
  ),
  frame(
    `^我${DEGREE}(?:想|想要|希望能?|梦想)((?:去|学|成为|当|买|换|开一|考|养|尝试|拥有|环游|当上)(?!做|试试|看看$|问|说).{1,20})$`,
    simple('wishes', 24),
  ),
  frame(
    `^我(?:的)?(?:人生|最大的|今年的?|短期|长期)*(?:梦想|目标|愿望|理想)(?:就)?是((?!什么).{2,24})$`,
    simple('goals', 24),
  ),
]

const OVER: readonly ChineseFrame[] = [
  frame(
    `^我(?:现在|已经|早就|早已)*不再(?:喜欢|爱)(.{1,12}?)(?:了)?$`,
    simple('likes', 12, { state: 'ended' }),
  ),
  frame(
    `^我(?:现在|已经|早就|早已)*不再(?:住在?)(.{1,12}?)(?:了)?$`,
    simple('residence', 12, { state: 'ended' }),
  ),
  frame(`^我(?:现在|已经|早就)*不住(?:在)?(.{1,12}?)了$`, simple('residence', 12, { state: 'ended' })),
  frame(
    `^我(?:现在|已经|早就)*不(?:再)?在(.{1,12}?)(?:工作|上班|上学)(?:了)$`,
    simple('employer', 12, { state: 'ended' }),
  ),
  frame(
    `^我(?:现在|已经|早就|早已)*不再(?:是)(.{1,12}?)(?:了)?$`,
    simple('occupation', 12, { state: 'ended' }),
  ),
  frame(
    `^我(?:现在|已经|早就|早已|最近)*(?:也|都)?不(?:太|怎么)?(?:喜欢|爱)((?!我|你).{1,12}?)了$`,
    simple('likes', 12, { state: 'ended' }),
  ),
  frame(`^我(?:现在|已经|早就|早已)*不再(.{2,12}?)(?:了)?$`, simple('habits', 12, { state: 'ended' })),
  frame(
    `^我(?:现在|已经|早就|早已|最近|刚|终于|彻底|把|去年|今年|上个月)*(?:戒掉?了?|放弃了)((?!不).{1,8}?)(?:了|啦)?$`,
    simple('habits', 8, { state: 'ended' }),
  ),
  frame(
    `^我(?:现在|已经|早就|早已|最近|刚|终于|彻底)*把(.{1,8}?)(?:都|也|给)*戒(?:掉)?(?:了)$`,
    simple('habits', 8, { state: 'ended' }),
  ),
  frame(
    `^我(?:现在|已经|早就)*不((?:吃|喝|抽|玩|打|练|学|养|跑)[^了]{1,8})了$`,
    simple('habits', 10, { state: 'ended' }),
  ),
  frame(
    `^我(?:以前|曾经|过去|之前|原来)(?:一直)?(?:住在|住过|生活在)(.{1,12})$`,
    simple('residence', 12, { state: 'over' }),
  ),
  frame(
    `^我(?:以前|曾经|过去|之前|原来)(?:一直)?在(.{2,12}?)(?:工作|上班)(?:过)?$`,
    simple('employer', 12, { state: 'over' }),
  ),
  frame(`^我(?:以前|曾经|过去|之前|原来)(?:一直)?(?:是|当过?)(?:一[名个位])?(.{2,10})$`, ([value = '']) =>
    TRADE.test(value) ? { key: 'background', value: trim(value), state: 'over' } : null,
  ),
  frame(
    `^我(?:以前|曾经|过去|小时候)(?:一直|很|最|非常|特别|也)*喜欢(.{1,12})$`,
    simple('likes', 12, { state: 'over' }),
  ),
  frame(
    `^我(?:以前|曾经|过去)((?:养|学|练|去|做|玩)过.{1,12})$`,
    simple('experiences', 16, { type: 'event', state: 'over' }),
  ),
]

const EVENT_VERB =
  '去了?|去过|来到|到了|买了?|参加了?|看了|读了|吃了|喝了|学会了?|学了|换了|找到了?|收到了?|毕业于?|结婚|离婚|生了|养了|领养了?|收养了?|辞职|入职|升职|搬|做了|写了|完成了?|开了|开始了|加入了?|认识了|遇到了|遇见了|拿到了?|获得了?|考上了?|考过了?|通过了|丢了|摔|做完|画了|种了|拍了|订了|预订了|报名了?|住了|玩了|爬了|跑了|听了|见了|见到了|送了|弹了|打了|失业|被裁|失恋|分手'
const TIME =
  '(?:昨天|前天|今天|大前天|昨晚|今早|今天早上|上周末?|上个?星期.?|上个?月|去年|前年|今年|刚才|刚刚|刚|最近|前几天|前段时间|周末|周[一二三四五六日]|星期[一二三四五六日天]|上周[一二三四五六日]|[0-9一二三四五六七八九十两]{1,3}(?:天|周|个?月|年)前|(?:19|20)[0-9]{2}年|[0-9]{1,2}月(?:[0-9]{1,2}[日号])?|早上|上午|中午|下午|晚上|后来|已经|终于|还|也|又|一起|和.{1,6}?|跟.{1,6}?)'
const EVENTS: readonly ChineseFrame[] = [
  frame(`^我们?${TIME}*((?:${EVENT_VERB}).{1,24})$`, ([what = '']) => {
    const kept = trim(what)
    return kept.length < 3 ||
      /[他她它这那]|一下|很久|太多|什么|一些(?:问题|事情?|东西|错误)?$|下来$|起来$/.test(kept) ||
      !/[了过]|毕业|结婚|离婚|辞职|入职|升职|失业|失恋|分手/.test(what)
      ? null
      : { key: 'experiences', value: kept, type: 'event', isEvent: true }
  }),
]

const HAVING: readonly ChineseFrame[] = [
  frame(
    `^(?:我家?|我们家)(?:里)?(?:还|也)?(?:有|养了?|养着|领养了?)(?:一|两|二|三|四|五|几|\\d)?(?:只|条|匹|个|头)?([^，的]{0,6}?(?:${PET}))(?:(?:它)?(?:的名字)?(?:叫|名叫)(.{1,8}))?$`,
    ([animal = '', name = '']) => ({ key: 'pets', value: `${trim(animal)}${name}` }),
  ),
  frame(
    `^我(?:家)?(?:的|家的)?((?:小)?(?:${PET}))(?:的名字)?(?:叫|是叫|名叫)(.{1,8})$`,
    ([animal = '', name = '']) => ({ key: 'pets', value: `${animal}${trim(name)}` }),
  ),
  frame(
    `^我(?:还|也|家)?(?:只)?有((?:一|两|二|三|四|五|六|\\d)?(?:个|位|对)?(?:[大小].?)?)(${KIN_WORD})(?:(?:他|她)?(?:叫|名叫)(.{1,6}))?$`,
    ([count = '', kin = '', name = '']) => ({
      key: kinKey(kin),
      value: `${count}${kin}${trim(name)}`,
      type: 'relationship',
    }),
  ),
  frame(`^我没有(${KIN_WORD})$`, ([kin = '']) => ({
    key: kinKey(kin),
    value: `没有${kin}`,
    type: 'relationship',
  })),
  frame(
    `^我(?:的)?(?:好|最好的|大|小|二)?(${KIN_WORD})(?:的名字)?(?:叫|名叫|名字是)([\\p{Script=Han}A-Za-z·]{1,8})$`,
    ([kin = '', name = '']) =>
      /[了我去来给]/.test(name) ? null : { key: kinKey(kin), value: `${kin}${name}`, type: 'relationship' },
  ),
  frame(
    `^我(?:的)?(?:大|小|二)?(${KIN_WORD})((?:是一?[名个位]?(?!对|一个很|很|非常|不|在|因|为|我).{2,12}|(?:住|生活|工作)?在.{2,12}|住在.{2,12}|今年${NUMBER}岁.{0,2}|喜欢.{1,10}|不喜欢.{1,10}|去世.{0,2}|生病.{0,2}|结婚.{0,2}|怀孕.{0,2}))$`,
    ([kin = '', what = '']) =>
      /[他她它]|想|觉得|我/.test(what) || POINTED.test(what)
        ? null
        : {
            key: kinKey(kin) === 'partner' ? 'relatives' : kinKey(kin),
            value: `${kin}${trim(what)}`,
            type: 'relationship',
          },
  ),
  frame(`^我(?:新)?(?:有)(一(?:辆|台|把|架|部|套|栋|艘).{1,10})$`, simple('possessions', 12)),
]

/** From the particular to the general. */
export const CHINESE_FRAMES: readonly ChineseFrame[] = [
  ...OVER,
  ...LIKING,
  ...HAVING,
  ...BEING,
  ...DOING,
  ...PLANNING,
  ...EVENTS,
]
