// Lists the built-in keys of the persona sheet by merge class (key-table.ts), with their names in English and Chinese.
import { type MergeClass, type PersonaKeyInput, type KeyTable, extendKeyTable } from './key-table.ts'

type Names = readonly [en: string, zh: string]

/** Returns keys with the same merge class and options. Names of one key are separated by `|`. */
function keysOf(
  merge: MergeClass,
  rows: Readonly<Record<string, Names>>,
  rest: Partial<PersonaKeyInput> = {},
): PersonaKeyInput[] {
  return Object.entries(rows).map(([id, [en, zh]]) => ({
    id,
    names: { en: en.split(' | '), zh: zh.split(' | ') },
    merge,
    ...rest,
  }))
}

/** Returns two contradictory keys, each the opposite of the other. */
function opposites(first: string, oneNames: Names, second: string, otherNames: Names): PersonaKeyInput[] {
  return [
    ...keysOf('contradictory', { [first]: oneNames }, { opposite: second }),
    ...keysOf('contradictory', { [second]: otherNames }, { opposite: first }),
  ]
}

/** Keys with one value, which a new statement replaces. */
const REPLACE = keysOf('replace', {
  name: ['name', '姓名 | 名字'],
  nickname: ['nickname', '昵称 | 小名'],
  age: ['age', '年龄'],
  birthday: ['birthday | date of birth', '生日'],
  gender: ['gender', '性别'],
  'marital-status': ['marital status', '婚姻状况'],
  origin: ['origin | home town | where they come from', '家乡 | 老家 | 哪里人'],
  nationality: ['nationality', '国籍'],
  zodiac: ['zodiac sign', '星座 | 生肖'],
  'blood-type': ['blood type', '血型'],
  height: ['height', '身高'],
  'form-of-address': ['form of address', '称呼'],
})

/** Favourites. A new one replaces the old one. */
const FAVOURITES = keysOf('replace', {
  'favourite-food': [
    'favourite food | favourite dish | favourite meal | favorite food',
    '最喜欢的食物 | 最爱吃的',
  ],
  'favourite-drink': ['favourite drink', '最喜欢的饮料'],
  'favourite-colour': ['favourite colour | favourite color', '最喜欢的颜色'],
  'favourite-animal': ['favourite animal', '最喜欢的动物'],
  'favourite-music': ['favourite music | favourite genre', '最喜欢的音乐'],
  'favourite-song': ['favourite song', '最喜欢的歌'],
  'favourite-artist': [
    'favourite artist | favourite singer | favourite band | favourite musician',
    '最喜欢的歌手 | 最喜欢的乐队',
  ],
  'favourite-film': ['favourite film | favourite movie', '最喜欢的电影'],
  'favourite-show': ['favourite show | favourite series', '最喜欢的电视剧 | 最喜欢的节目'],
  'favourite-book': ['favourite book | favourite novel', '最喜欢的书 | 最喜欢的小说'],
  'favourite-author': ['favourite author | favourite writer', '最喜欢的作家'],
  'favourite-game': ['favourite game', '最喜欢的游戏'],
  'favourite-sport': ['favourite sport', '最喜欢的运动'],
  'favourite-team': ['favourite team', '最喜欢的球队'],
  'favourite-season': ['favourite season', '最喜欢的季节'],
  'favourite-place': ['favourite place | favourite city | favourite country', '最喜欢的地方 | 最喜欢的城市'],
  'favourite-subject': ['favourite subject', '最喜欢的科目'],
  'favourite-flower': ['favourite flower', '最喜欢的花'],
})

/** Keys with values that change over time, such as residence. */
const TRAJECTORY = keysOf('trajectory', {
  residence: ['residence | home | where they live', '住址 | 居住地 | 住在哪里'],
  occupation: ['occupation | job | what they work as', '职业 | 工作'],
  employer: ['employer | workplace | where they work', '工作单位 | 公司'],
  mood: ['mood', '心情 | 情绪'],
  'health-state': ['state of health', '身体状况'],
  'living-with': ['lives with', '同住的人'],
  'current-activity': ['current activity | current project', '近况 | 正在做的事'],
})

/** Keys with several values at once. A shorter value is another one: “tea” beside “green tea”. */
const APPEND = keysOf(
  'append',
  {
    identity: ['identity | who they are', '身份'],
    background: ['background', '背景 | 经历'],
    appearance: ['appearance', '外貌'],
    character: ['character | personality', '性格'],
    skills: ['skills', '技能 | 特长'],
    weaknesses: ['weaknesses', '不擅长的事'],
    languages: ['languages', '语言'],
    learning: ['learning', '正在学的'],
    hobbies: ['hobbies | interests', '爱好 | 兴趣'],
    habits: ['habits', '习惯'],
    routines: ['routines', '作息'],
    favourites: ['other favourites', '其他最爱'],
    diet: ['diet', '饮食习惯'],
    health: ['health', '健康'],
    fears: ['fears', '害怕的东西'],
    possessions: ['possessions', '拥有的东西'],
    beliefs: ['beliefs | values', '信念 | 价值观'],
    religion: ['religion', '宗教信仰'],
    achievements: ['achievements', '成就'],
    'contact-details': ['contact details', '联系方式'],
    wishes: ['wishes | dreams', '愿望 | 梦想'],
    goals: ['goals', '目标'],
  },
  { partOf: 'other' },
)

/** Keys with several values at once, which have names. A shorter value is the same one: “Rex” for “Rex the dog”. */
const NAMED = keysOf(
  'append',
  {
    allergies: ['allergies', '过敏'],
    pets: ['pets', '宠物'],
    education: ['education | studies', '学业 | 学校'],
    'field-of-work': ['field of work', '行业'],
  },
  { partOf: 'same' },
)

const RELATIONS = [
  ...keysOf('replace', { partner: ['partner | spouse', '伴侣 | 配偶'] }, { type: 'relationship' }),
  ...keysOf(
    'append',
    {
      parents: ['parents', '父母'],
      siblings: ['siblings', '兄弟姐妹'],
      children: ['children', '孩子'],
      relatives: ['relatives | family', '亲戚 | 家人'],
      friends: ['friends', '朋友'],
      colleagues: ['colleagues', '同事 | 同学'],
    },
    { type: 'relationship', partOf: 'same' },
  ),
  ...keysOf(
    'trajectory',
    { 'relationship-with-agent': ['relationship with the agent', '与角色的关系'] },
    { type: 'relationship' },
  ),
  ...keysOf(
    'complex',
    { 'relationship-change': ['changes in relationships', '关系变化'] },
    { type: 'relationship' },
  ),
]

const EVENTS = [
  ...keysOf(
    'append',
    { experiences: ['experiences | past events', '经历的事'] },
    { type: 'event', partOf: 'other', repeats: true },
  ),
  ...keysOf('append', { plans: ['plans', '计划 | 打算'] }, { type: 'event', partOf: 'other' }),
  ...keysOf('complex', { promises: ['promises', '约定'] }, { type: 'event' }),
]

const CONTRADICTORY = [
  ...opposites('likes', ['likes', '喜欢'], 'dislikes', ['dislikes', '不喜欢 | 讨厌']),
  ...opposites('liked-people', ['liked people', '喜欢的人'], 'disliked-people', [
    'disliked people',
    '讨厌的人',
  ]),
  ...opposites('supports', ['supports', '支持'], 'opposes', ['opposes', '反对']),
]

/** Keys that only rules write, and prompts do not name: where the user is for a time, and yearly days of other people. */
const DATED = [
  ...keysOf('trajectory', { whereabouts: ['whereabouts | where they are now', '目前所在 | 行踪'] }),
  ...keysOf('append', { anniversaries: ['anniversaries', '纪念日'] }, { partOf: 'other', yearly: true }),
]

/** The built-in keys. The merge classes are from the MOOM paper. It lists no keys in its text, so these keys are our own. */
export const BUILT_IN_KEYS: readonly PersonaKeyInput[] = [
  ...REPLACE,
  ...FAVOURITES,
  ...TRAJECTORY,
  ...APPEND,
  ...NAMED,
  ...RELATIONS,
  ...EVENTS,
  ...CONTRADICTORY,
  ...DATED,
].map((key) => (key.id === 'birthday' ? { ...key, yearly: true } : key))

let builtIn: KeyTable | undefined

/** Returns the table of the built-in keys. It is made on the first call. */
export function keyTable(): KeyTable {
  builtIn ??= extendKeyTable(new Map(), BUILT_IN_KEYS)
  return builtIn
}
