// All signs of patterns and all fields of rules are explained in ../matching/rule.ts.
// How to read a pattern, such as '我[们]<so>*(会|要|得)*{value:absent}(到|至)_*。', whose test sentence '我[休假]到周五' follows it:
// `[们]` may be absent. `<so>*` is any number of the phrase `so` (phrases.ts). `{value:absent}` takes the phrase `absent` as the value.
// `(到|至)` is one of the two. `_*` is any text. `。` is the end of the clause. `no` lists sentences that the rule must not match.
import { KIN } from '../matching/kin.ts'
import type { FactRule } from '../matching/rule.ts'

/** Rules for identity, health, work, studies, home and relatives, which are tried before those of rules.ts. */
export const CHINESE_LIFE: readonly FactRule[] = [
  {
    expires: true,
    facts: {
      whereabouts: {
        '我[们]<so>*(会|要|得|打算)*[人]在{2..10}(出差|休假|度假|旅行|待|呆|住|留)(到|至)_*。':
          '我在[里斯本]待到周五',
        '我[们]<so>*(会|要|得)*{value:absent}(到|至)_*。': '我[休假]到周五',
      },
      possessions: {
        '我[们]的{2..10}(有效期|的有效期)[是|为](到|至)_*。': '我的[停车证]有效期到3月3日',
        '我[们]的{2..10}有效(到|至)_*。': '我的[停车证]有效到3月3日',
        '我[们]的{2..8}DIGITS_*(到期|过期)。': '我的[护照]3月3日到期',
      },
    },
    no: '我在等周五。我的护照在家。我在上海。',
  },
  {
    text: '{who}叫{name}。',
    facts: {
      'form-of-address': {
        '<callers>+(叫|喊)我{name}[就行|就好|好了]。': '大家都叫我[阿哲]',
        '[可以|就](叫|喊)我!一{name}(就行|就好|就可以|好了|就是了|行了)。': '叫我[阿哲]就行',
      },
    },
    no: '叫我怎么说呢。叫我一声就行。他叫我去。',
  },
  {
    after: '<hello>',
    text: '{who}叫{value}。',
    facts: { name: { '我是{value:full}。': '你好，我是[林悦]' } },
    no: '我是林悦。你好，我是高中生。你好，我是程序员。你好，我是江苏人。你好，我是丁克。',
  },
  {
    text: '{who}是{value}人。',
    facts: { origin: { '我[老家]{value:place}[那边|这边](的|人)。': '我叫韦小满，[广西百色]的' } },
    no: '我广州的朋友。我在广州。',
  },
  {
    goesOn: true,
    facts: {
      'marital-status': { '我[们]<when>*<so>*{value:wed}[<long>]。': '我们[领证]了' },
      education: { '我<when>*<so>*考上[了]!(再|以后|就){2..10}。': '我考上了[北大]' },
    },
    no: '我要结婚了吗。我考上了再说。',
  },
  {
    goesOn: true,
    facts: {
      'living-with': {
        '我[们]<so>*(和|跟|同|与)!(_* (他|她|它|你)){1..8}[一起]<live>!(_* (店|宾馆|旅馆|民宿|医院))_+。':
          '我和[奶奶]住在泉州',
      },
    },
    no: '我和奶奶住。我跟他住在一个小区。我和同事住在酒店。',
  },
  {
    facts: {
      name: { '我是!<dubbed>{value:nick}。': '你好，我是[小凯]' },
      age: {
        '我(今年|都|已经|快|刚满|才)+{years}。': '我今年[35]',
        '我{years}了。': '我[二十八]了',
      },
      birthday: {
        '我{year}[生|出生]的。': '我[98年]的',
        '我{value:date}[的]生日。': '我[5月12日]生日',
      },
      origin: { '我[老家]是{place}[那边|这边]的。': '我是[四川成都]的' },
      residence: {
        '我[们]<so>*[人]在{place}(生活|定居|安家|租(了|着|的|房)_*|漂着|住[着])。': '我在[上海]租房子住',
        '我[们][两口子|一家|一家人|夫妻|夫妻俩|俩]<so>*租在{2..10}。': '我们两口子租在[回龙观]',
        '我[每天|每晚|今天]从_[_][_][_]下班回{2..4}。': '我从内湖下班回[板桥]',
        '我<so>*住的地方(是|在){2..10}。': '我现在住的地方是[绵阳]',
        '我[们]<so>*住!(_* (他|她|你))!(在|院|校|不|得|过|了|着|宿舍){2..10}。': '我住[滨江]',
      },
      'living-with': {
        '我<so>*(跟|同|与){1..8}[一起|去|过去]住[在一起]。': '我跟[爸妈]住',
        '我<so>*(和|跟|同|与){1..8}(合租|同居)。': '我和[室友]合租',
      },
      'living-with: 一个人': { '我<so>*(一个人|自己|独自)[在外面]住。': '我一个人住' },
      'siblings: 独生': { '我是独生(子女|子|女)。': '我是独生女' },
      occupation: {
        '我[们](跟|和)<partner><so>*[在_+]{value:running}。': '我和老婆[开民宿]',
        '我<so>*是{value:doing}的。': '我是[做设计]的',
        '我<so>*{value:dealing}的。': '我[做外贸]的',
        '我<so>*<serve>[了]!(_* 的){1..8/trade}[<long>]。': '我当[老师]',
        '我<when>*<so>*(开始<serve>|改行<serve>)!(_* 的){1..8/trade}了*。': '我上个月开始当[护士]了',
        '我<when>*<so>*找[到]了[一][个|份]{1..8/trade}的(工作|活儿)[<long>]。': '我找到了一份[护士]的工作',
      },
      'occupation: 失业': { '我<when>*<so>*失业了[<long>]。': '我失业了' },
      'occupation: 退休': { '我<when>*<so>*<retired>[<long>]。': '我退休了' },
      background: { '我<so>*[在_+]教了<long>[的]{2..8}。': '我在绍兴教了三十六年[中学历史]' },
      employer: {
        '我<so>*在{2..14}(打工|打零工|兼职|教书|坐诊)[了|过]*[<long>]。': '我在[宠物医院]打零工',
        '我<so>*在{2..14}(工作|上班|干)[了](<long>)。': '我在[字节]工作三年了',
        '我<when>*<so>*(跳槽|入职)(去|到|进)*[了]!(<long>|。){2..12}。': '我跳槽去了[美团]',
      },
      education: {
        '我<so>*在(读|念)!(书|到|完|着|的|这){1..8}。': '我在读[研]',
        '我(<so>|开学|马上|下学期|是)*{value:grade}[新生|学生|在读]。': '我是[大一]新生',
        '我<so>*在{value:schooling}。': '我在[哈尔滨读大二]',
        '我<so>*在{value:reading}。': '我在[浙大读计算机]',
        '我(学|读)的[专业]是{2..10}。': '我学的是[法律]',
      },
      learning: {
        '我<so>*在(备考|准备考|准备&考){2..8}。': '我在备考[公务员]',
        '我<when>*<so>*(报了|在上|报名了)!([一][个](线上|网上|线下|这|那))[一][个]{1..6}(班|课)。':
          '我报了个[游泳]班',
      },
      health: {
        '我<when>*<so>*<contracted><mild>*!(病。|毛病){1..12/illness}。': '我确诊了[抑郁症]',
        '我<so>*{value:weak}。': '我[胃不好]',
        '我[有]{value:slipped}。': '我[腰间盘突出]',
        '我(<so>|在|得|要|每天|天天|早上|晚上)+{value:medicated}。': '我在[吃降压药]',
      },
      'health-state: 怀孕': { '我<when>*<so>*怀孕[<long>]。': '我怀孕了' },
      allergies: {
        '我<so>*[一](吃|喝|碰|沾|闻)[了|到|点]!(药|了|得|过|的){1..6}<harmed>_*。': '我一吃[芒果]嘴就肿',
        '我<so>*!(_* 对)!(过|会|容易|老|皮肤|一|说|怕|是|不|没|有){1..6}过敏。': '我[花生]过敏',
        '我<so>*[是]{value:lactose}不耐[受][的]。': '我[乳糖]不耐受',
      },
      diet: {
        '我(跟|和|同)_[_][_][_]都(是|吃){diet}[的]。': '我跟我姐都吃[素]',
        '我<so>*{value:barred}。': '我[不能吃辣]',
        '我<so>*{value:upset}。': '我[喝牛奶会拉肚子]',
      },
    },
    no: `我是小学老师。我是小孩。我是真的累了。我三点到。我二十分钟后到。我住院了。我在北京站等车。我今年很忙。我是昨天到的。 我一个人去的。 我是开玩笑的。我是认真的。我是坐火车来的。我做的菜好吃。我做饭去了。我当然知道。我在读书。我大意了。我大概三点到。我在学校等你。 我在公司加班。 我有病吧。我心情不好。我记性不好。我运气不好。我会过敏。我容易过敏。我不能吃亏。我吃不下。我好像怀孕了。我不能吃了。我吃药会睡着。我吃完就拉肚子。`,
  },
  {
    each: KIN,
    goesOn: true,
    facts: {
      '@: {kin}{name}': {
        '我[的|家][大|小|二]{kin:@}{name:petname}[<onwards>_*]。': '我[老公][阿杰]在银行上班',
      },
    },
    no: '我老公小气得很。我妈阿姨都在。我儿子小美玲珑得很。',
  },
  {
    each: KIN,
    facts: {
      'experiences: {kin}{gone}': {
        '我[的|家][大|小|二]{kin:@}[<nick>](<so>|<when>)*{gone}。': '我[爷爷][去世]了',
      },
    },
    no: '我妈走了一趟银行。',
  },
  {
    each: KIN.slice(1),
    facts: {
      '@: {kin}住在{place}': {
        '我[的|家]{kin:@}(<so>|<when>)*搬(到|去|回)[了]{place}[了]。': '我[妹妹]搬到[重庆]了',
      },
      '@: {kin}{life}': { '我[的|家][大|小|二]{kin:@}[<nick>](<so>|<when>)*{life}。': '我[儿子][三岁]了' },
      '@: {kin}{name}{life}': {
        '我[的|家]{kin:@}!(<so>|不|没|跟|和|他|她|那|这|们|的|在|住|弟|妹|哥|姐|爸|妈|爷|奶|都|老|又|说|昨|前|上|家|后|回|去|来|要|想|眼|马)!(_ <so>){name:2..2}<so>*{life:settled}。':
          '我[女儿][圆圆][在苏州]',
      },
    },
    no: '我爸不在家。我妈让我早点睡。我姐给我买了衣服。我妈又骂我了。',
  },
  {
    facts: {
      'relatives: {kin}{life}': {
        '我[的|家]{kin:partner}[<nick>](<so>|<when>)*{life}。': '我[老公][在银行上班]',
      },
    },
    no: '我老公气死我了。我老公在家。',
  },
]
