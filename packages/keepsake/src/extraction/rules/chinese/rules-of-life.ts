import { KIN } from '../matching/kin.ts'
import type { FactRule } from '../matching/rule.ts'

/** What makes a life: who somebody is, health, work, studies and home with what ends them, who belongs to them. */
export const CHINESE_LIFE: readonly FactRule[] = [
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
        '我[们]<so>*[人]在{place}(生活|定居|安家|租[的]房[子][住]|漂着|住[着])。': '我在[上海]租房子住',
        '我[们]<so>*住!(_* (他|她|你))!(在|院|校|不|得|过|了|着|宿舍){2..10}。': '我住[滨江]',
      },
      'living-with': {
        '我<so>*(跟|同|与){1..8}[一起]住[在一起]。': '我跟[爸妈]住',
        '我<so>*(和|跟|同|与){1..8}(合租|同居)。': '我和[室友]合租',
      },
      'living-with: 一个人': { '我<so>*(一个人|自己|独自)[在外面]住。': '我一个人住' },
      'siblings: 独生': { '我是独生(子女|子|女)。': '我是独生女' },
    },
    no: `我是小学老师。我是小孩。我是真的累了。我三点到。我二十分钟后到。我住院了。我在北京站等车。我今年很忙。我是昨天到的。
      我一个人去的。`,
  },
  {
    goesOn: true,
    state: 'ended',
    facts: {
      'employer: *': { '我[们]<when>*<so>*<dismissed>[了]。': '我上个月辞职了' },
    },
    no: '我想辞职。我差点辞职。我朋友辞职了。',
  },
  {
    goesOn: true,
    state: 'ended',
    facts: {
      'occupation: *': { '我<when>*<so>*(<dismissed>|退休)[了]。': '我退休了' },
      'partner: *': {
        '我<when>*<so>*[(跟|和|与)_[_][_][_][_]](分手|离婚|分)了。': '我跟男朋友分手了',
        '我们<when>*<so>*(分手|离婚)了。': '我们分手了',
      },
    },
    no: '我想辞职。我差点辞职。我们分手吧。我朋友辞职了。',
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
    facts: {
      occupation: {
        '我<so>*是{value:doing}的。': '我是[做设计]的',
        '我<so>*{value:dealing}的。': '我[做外贸]的',
        '我<so>*<serve>[了]!(_* 的){1..8/trade}[<long>]。': '我当[老师]',
      },
      'occupation: 退休': { '我<when>*<so>*退休[<long>]。': '我退休了' },
      employer: {
        '我<so>*在{2..14}(工作|上班|干)[了](<long>)。': '我在[字节]工作三年了',
        '我<when>*<so>*(跳槽|入职)(去|到|进)*[了]!(<long>|。){2..12}。': '我跳槽去了[美团]',
      },
      education: {
        '我<so>*在(读|念)!(书|到|完|着|的|这){1..8}。': '我在读[研]',
        '我(<so>|开学|马上|下学期|是)*{value:grade}[新生|学生|在读]。': '我是[大一]新生',
        '我<so>*在{value:reading}。': '我在[浙大读计算机]',
        '我(学|读)的[专业]是{2..10}。': '我学的是[法律]',
      },
      learning: {
        '我<so>*在(备考|准备考){2..8}。': '我在备考[公务员]',
        '我<when>*<so>*(报了|在上|报名了)[一][个]{1..6}(班|课)。': '我报了个[游泳]班',
      },
    },
    no: `我是开玩笑的。我是认真的。我是坐火车来的。我做的菜好吃。我做饭去了。我当然知道。我在读书。我大意了。我大概三点到。我在学校等你。
      我在公司加班。`,
  },
  {
    facts: {
      health: {
        '我<when>*<so>*<contracted><mild>*!(病。|毛病){1..12/illness}。': '我确诊了[抑郁症]',
        '我<so>*{value:weak}。': '我[胃不好]',
        '我[有]{value:slipped}。': '我[腰间盘突出]',
        '我(<so>|在|得|要|每天|天天)+{value:medicated}。': '我在[吃降压药]',
      },
      'health-state: 怀孕': { '我<when>*<so>*怀孕[<long>]。': '我怀孕了' },
      allergies: {
        '我<so>*!(_* 对)!(过|会|容易|老|皮肤|一|说|怕|是|不|没|有){1..6}过敏。': '我[花生]过敏',
        '我<so>*{value:lactose}不耐[受]。': '我[乳糖]不耐受',
      },
      diet: { '我<so>*{value:barred}。': '我[不能吃辣]' },
    },
    no: `我有病吧。我心情不好。我记性不好。我运气不好。我会过敏。我容易过敏。我不能吃亏。我吃不下。我好像怀孕了。我不能吃了。`,
  },
  {
    each: KIN.slice(1),
    facts: {
      '@: {kin}{life}': { '我[的|家][大|小|二]{kin:@}[<nick>]<so>*{life}。': '我[儿子][三岁]了' },
    },
    no: '我爸不在家。我妈让我早点睡。我姐给我买了衣服。我妈又骂我了。',
  },
  {
    facts: {
      'relatives: {kin}{life}': { '我[的|家]{kin:partner}[<nick>]<so>*{life}。': '我[老公][在银行上班]' },
    },
    no: '我老公气死我了。我老公在家。',
  },
]
