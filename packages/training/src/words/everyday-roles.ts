import { relate, type Relations } from './write-related-table.ts'

/**
 * Roles, family and what people have and go through, in everyday words: dictionaries order words by what things are
 * (a boss is a leader, a manager an administrator), talk by what they are to somebody. Written for this purpose.
 */
interface RoleWords {
  /** Words of a line may stand for each other. */
  readonly alike: readonly string[]
  /** A word, and what it may be of; those do not stand for each other. */
  readonly kinds: Readonly<Record<string, string>>
}

/** How sure it is that one word of a line is meant by another; and of a kind by what it is one of, and back. */
const ALIKE = 0.7
const KIND = 0.6

/** Commas separate words, so that expressions are possible. */
const ENGLISH: RoleWords = {
  alike: [
    'boss, manager, supervisor, line manager, employer, chief',
    'colleague, coworker, co worker, workmate, teammate',
    'job, work, occupation, profession, career, employment, living',
    'employee, worker, staff, assistant',
    'company, firm, employer, business, workplace',
    'quit, resign, hand in notice, leave',
    'fire, sack, lay off, redundant, dismiss, let go',
    'promotion, promote, raise',
    'salary, wage, pay, income, earn',
    'mother, mum, mom, mama, mummy, mommy, ma',
    'father, dad, papa, daddy, pa, pop',
    'grandmother, grandma, granny, gran, nan, nana',
    'grandfather, grandpa, granddad, gramps',
    'spouse, husband, wife, partner',
    'husband, hubby, partner',
    'wife, missus, partner',
    'fiance, fiancee, engage, bride, groom, betroth',
    'girlfriend, partner, date, girl',
    'boyfriend, partner, date, lad',
    'sweetheart, partner, darling, lover, girlfriend, boyfriend',
    'ex, former partner, ex husband, ex wife, ex girlfriend, ex boyfriend',
    'child, kid, youngster',
    'son, boy, lad',
    'daughter, girl',
    'baby, infant, newborn, toddler',
    'friend, mate, pal, buddy, best friend',
    'roommate, flatmate, housemate',
    'neighbour, next door',
    'marry, wedding, bride, groom, husband, wife',
    'divorce, split, separate, break up',
    'break up, split up, dump, leave',
    'pregnant, expect, pregnancy, due',
    'die, pass away, death, dead, lose, funeral, late, bury',
    'widow, widower, late husband, late wife',
    'born, birth, birthday',
    'doctor, gp, physician, medic',
    'hospital, clinic, ward, a and e',
    'ill, sick, unwell, poorly, illness, disease',
    'operation, surgery, procedure, surgeon',
    'medicine, medication, drug, pill, tablet',
    'allergy, allergic, intolerant, intolerance, react',
    'home, house, flat, apartment, place',
    'move, relocate, relocation',
    'landlord, landlady',
    'rent, lease, tenant',
    'car, vehicle, auto',
    'bike, bicycle, cycle',
    'phone, mobile, cell',
    'teacher, tutor, instructor, coach',
    'student, pupil, study',
    'school, college, university, uni, course, class',
    'exam, test, pass, fail',
    'holiday, vacation, trip, travel',
    'meal, dinner, lunch, supper, eat, food, dish, cook',
    'argue, quarrel, fight, row, fall out',
    'scared, afraid, frightened, terrified, fear, phobia',
    'happy, glad, delighted, pleased',
    'sad, upset, down, unhappy, miserable',
    'angry, cross, furious, mad, annoyed',
    'gift, present',
    'steal, theft, thief, rob, burglar',
  ],
  kinds: {
    pet: 'dog, cat, puppy, kitten, rabbit, hamster, parrot, hound, goldfish, tortoise, guinea pig, budgie',
    dog: 'puppy, hound, terrier, spaniel, collie, labrador, poodle, mutt',
    cat: 'kitten, kitty, tabby',
    child: 'son, daughter, boy, girl, baby, toddler, twin',
    kid: 'son, daughter, boy, girl, baby, toddler, twin',
    parent: 'mother, father, mum, mom, dad',
    sibling: 'brother, sister, twin, sis, bro',
    family:
      'mother, father, mum, mom, dad, brother, sister, son, daughter, wife, husband, child, kid, parent',
    relative: 'aunt, uncle, cousin, niece, nephew, grandmother, grandfather, grandma, grandpa, family',
    grandparent: 'grandmother, grandfather, grandma, grandpa, gran, nan, granddad',
    grandchild: 'grandson, granddaughter, grandkid, grandbaby',
    vehicle: 'car, bike, bicycle, van, truck, lorry, motorbike, scooter, motorcycle, moped, bus',
    transport: 'car, bike, bus, train, tram, walk, drive, cycle, metro, tube',
    instrument: 'piano, guitar, violin, cello, drum, flute, trumpet, trombone, saxophone, ukulele, clarinet',
    hobby:
      'paint, knit, garden, pottery, guitar, piano, climb, chess, choir, photography, bake, fish, read, draw',
    sport:
      'football, tennis, run, swim, climb, yoga, cycle, basketball, badminton, gym, marathon, hockey, rugby',
    drink: 'coffee, tea, beer, wine, water, juice, latte, soda',
    allergy: 'peanut, nut, gluten, lactose, pollen, penicillin, shellfish, milk, rash, hive, swell',
    diet: 'vegetarian, vegan, gluten, halal, kosher, meat, keto',
    condition: 'diabetes, asthma, coeliac, celiac, epilepsy, migraine, arthritis, anxiety, depression',
    religion:
      'church, mosque, temple, pray, pastor, priest, imam, muslim, christian, jewish, hindu, buddhist',
  },
}

const CHINESE: RoleWords = {
  alike: [
    '老板, 领导, 上司, 主管, 经理, 上级, 头儿, 店长',
    '同事, 同行, 工友, 搭档',
    '工作, 职业, 上班, 谋生, 活儿, 差事, 干活',
    '公司, 单位, 企业, 厂, 老东家',
    '辞职, 离职, 跳槽, 裸辞',
    '解雇, 裁员, 开除, 辞退, 裁',
    '升职, 升, 晋升, 提拔',
    '工资, 薪水, 收入, 月薪, 挣',
    '母亲, 妈妈, 妈, 老妈, 娘',
    '父亲, 爸爸, 爸, 老爸, 爹',
    '父母, 爸妈, 双亲, 爹妈',
    '奶奶, 外婆, 姥姥, 祖母',
    '爷爷, 外公, 姥爷, 祖父',
    '妻子, 老婆, 太太, 媳妇, 爱人',
    '丈夫, 老公, 先生, 爱人',
    '对象, 伴侣, 恋人, 男朋友, 女朋友, 男友, 女友',
    '女朋友, 女友',
    '男朋友, 男友',
    '前任, 前男友, 前女友, 前妻, 前夫',
    '儿媳, 儿媳妇, 媳妇',
    '孩子, 小孩, 娃, 小朋友, 子女',
    '女儿, 闺女, 姑娘',
    '儿子, 小子',
    '宝宝, 婴儿, 娃娃, 宝贝',
    '朋友, 哥们, 闺蜜, 好友, 死党',
    '室友, 舍友, 合租',
    '邻居, 隔壁, 街坊',
    '结婚, 婚礼, 领证, 嫁, 娶',
    '离婚, 离了, 分开',
    '分手, 分了, 分开',
    '怀孕, 有喜, 身孕, 孕, 预产期',
    '去世, 过世, 离世, 逝世, 死, 走了, 没了',
    '医生, 大夫, 医师',
    '医院, 住院, 病房, 门诊',
    '生病, 病, 不舒服, 毛病',
    '手术, 开刀, 动手术',
    '药, 吃药, 药物, 药片',
    '过敏, 不耐受',
    '家, 房子, 住处, 公寓',
    '宿舍, 寝室',
    '搬家, 搬, 搬走, 搬到',
    '房东, 租, 房租',
    '车, 汽车, 轿车',
    '手机, 电话',
    '老师, 教练, 师傅, 导师',
    '学生, 同学, 读书',
    '学校, 大学, 学院, 高中',
    '考试, 考, 及格, 挂科, 挂了',
    '假期, 放假, 长假, 旅行, 旅游',
    '吃饭, 饭, 饮食, 菜, 做菜',
    '吵架, 吵, 争吵, 闹翻, 冷战',
    '害怕, 怕, 恐惧, 吓',
    '开心, 高兴, 快乐',
    '难过, 伤心, 难受',
    '生气, 气, 恼火',
    '担心, 担忧, 怕, 发愁',
    '失眠, 睡不着, 睡',
    '钱, 现金',
    '故乡, 老家, 家乡, 籍贯',
  ],
  kinds: {
    宠物: '猫, 狗, 猫咪, 小猫, 小狗, 兔子, 仓鼠, 鹦鹉, 乌龟, 金鱼',
    孩子: '儿子, 女儿, 闺女, 宝宝, 双胞胎',
    家人: '父亲, 母亲, 爸, 妈, 哥哥, 姐姐, 弟弟, 妹妹, 儿子, 女儿, 老公, 老婆',
    亲戚: '姑姑, 阿姨, 叔叔, 舅舅, 表哥, 表姐, 堂弟, 外甥, 侄子',
    兄弟姐妹: '哥哥, 姐姐, 弟弟, 妹妹, 哥, 姐, 弟, 妹',
    乐器: '钢琴, 吉他, 小提琴, 二胡, 古筝, 琵琶, 鼓, 笛子',
    爱好: '画画, 钢琴, 吉他, 跑步, 摄影, 书法, 围棋, 钓鱼, 游泳, 跳舞, 爬山',
    运动: '跑步, 游泳, 篮球, 足球, 羽毛球, 瑜伽, 爬山, 健身, 骑车, 马拉松',
    交通: '地铁, 公交, 开车, 骑车, 高铁, 火车, 走路',
    饮品: '咖啡, 奶茶, 茶, 酒, 果汁, 牛奶, 水',
    饮料: '咖啡, 奶茶, 茶, 可乐, 果汁, 牛奶',
    食物: '菜, 饭, 水果, 肉, 鱼, 海鲜, 面, 吃',
    忌口: '素, 辣, 海鲜, 清真, 乳糖, 花生, 过敏',
    警察: '民警, 派出所, 交警',
    车: '自行车, 电动车, 摩托车, 货车, 卡车',
  },
}

/** Relates the words of everyday roles; `asTerms` makes of a word what the thesaurus calls it. */
export function relateByRoles(
  relations: Relations,
  language: 'en' | 'zh',
  asTerms: (word: string) => string,
): void {
  const { alike, kinds } = language === 'en' ? ENGLISH : CHINESE
  const read = (line: string) => line.split(', ').map(asTerms)
  for (const words of alike.map(read))
    for (const word of words) for (const other of words) relate(relations, word, other, ALIKE)
  for (const [whole, line] of Object.entries(kinds)) {
    for (const kind of read(line)) {
      relate(relations, asTerms(whole), kind, KIND)
      relate(relations, kind, asTerms(whole), KIND)
    }
  }
}
