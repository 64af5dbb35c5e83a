// Reads for which relation of a person a question asks: “mother”, 哥哥.
/** Returns the words by which a text may name a relation: “mum” and “mother”, 老婆 and 妻子. */
export function readKinWords(kin: string): string[] {
  const isChinese = /\p{Script=Han}/u.test(kin)
  const group = isChinese
    ? CHINESE_RELATIONS.find(({ asked }) => kin.search(asked) === 0)?.words
    : RELATIONS[SYNONYMS[kin] ?? kin]
  const alike = (isChinese ? SAME_CHINESE : SAME_ENGLISH).find((words) =>
    words.split(' ').includes(kin.replace(/s$/, '')),
  )
  const words = (group ?? alike ?? '').split(' ').filter((word) => word !== '' && !NO_PERSON.test(word))
  return [...new Set([kin, ...words])]
}

/** Returns words of answers about the relation that a question asks for: “brother”, “bro”, …. `null` if it asks for none. */
export function readAskedRelation(question: string): readonly string[] | null {
  if (/\p{Script=Han}/u.test(question)) {
    const match = ASKED_IF_ANY_CHINESE.exec(question.trim()) ?? ASKED_CHINESE.exec(question)
    const role = match?.groups?.['role'] ?? ''
    const relation = CHINESE_RELATIONS.find(({ asked }) => role.search(asked) === 0)
    return relation?.words.split(' ') ?? null
  }
  const match = ASKED_IF_ANY.exec(question.trim()) ?? ASKED.exec(question)
  const role = match?.groups?.['role']?.toLowerCase()
  return role === undefined ? null : (RELATIONS[SYNONYMS[role] ?? role]?.split(' ') ?? null)
}

/** Words of answers about a relative, by the word for the relative. A text about a relative has one at least once: “my sister Ana”. */
const RELATIONS: Readonly<Record<string, string>> = {
  mother: 'mother mothers mum mums mom moms mam mama ma mummy mommy parent parents folks',
  father: 'father fathers dad dads papa pa pop pops popsy daddy parent parents folks',
  parents: 'parents parent mother father mum mom mam dad papa folks',
  sister: 'sister sisters sis sibling siblings twin twins',
  brother: 'brother brothers bro sibling siblings twin twins',
  siblings: 'sibling siblings sister sisters sis brother brothers bro twin twins',
  son: 'son sons boy boys lad lads child children kid kids baby babies twin twins toddler eldest oldest youngest',
  daughter:
    'daughter daughters girl girls child children kid kids baby babies twin twins toddler eldest oldest youngest',
  children:
    'child children kid kids son sons daughter daughters boy boys girl girls baby babies twin twins toddler eldest oldest youngest pregnant',
  wife: 'wife wives spouse partner missus married marry wedding fiancée fiancee husband',
  husband: 'husband hubby spouse partner married marry wedding fiancé fiance wife',
  grandmother: 'grandmother grandma gran granny nan nana nanny grandparents',
  grandfather: 'grandfather grandad granddad grandpa gramps grandparents',
  aunt: 'aunt aunts auntie aunty',
  uncle: 'uncle uncles',
  cousin: 'cousin cousins',
}
/** Maps words for relations in questions to the keys of `RELATIONS`. */
const SYNONYMS: Readonly<Record<string, string>> = {
  mum: 'mother',
  mom: 'mother',
  dad: 'father',
  sisters: 'sister',
  brothers: 'brother',
  sons: 'son',
  daughters: 'daughter',
  kids: 'children',
  kid: 'children',
  child: 'children',
  gran: 'grandmother',
  grandma: 'grandmother',
  grandad: 'grandfather',
  granddad: 'grandfather',
  grandpa: 'grandfather',
  aunts: 'aunt',
  uncles: 'uncle',
  cousins: 'cousin',
}
const CHINESE_RELATIONS: readonly { readonly asked: RegExp; readonly words: string }[] = [
  { asked: /妈妈?|母亲|老妈/, words: '妈 母亲 娘 父母 爸妈 爹妈' },
  { asked: /爸爸?|父亲|老爸/, words: '爸 父亲 爹 父母 爸妈 爹妈' },
  { asked: /哥哥?|大哥|二哥/, words: '哥 兄' },
  { asked: /姐姐?|大姐|二姐/, words: '姐' },
  { asked: /弟弟?/, words: '弟' },
  { asked: /妹妹?/, words: '妹' },
  { asked: /孩子|小孩/, words: '孩子 小孩 娃 宝宝 儿子 女儿 闺女 小子 丫头 老大 老二 双胞胎 怀孕' },
  { asked: /儿子/, words: '儿子 孩子 娃 宝宝 小子 老大 老二 双胞胎' },
  { asked: /女儿|闺女/, words: '女儿 闺女 孩子 娃 宝宝 丫头 老大 老二 双胞胎' },
  { asked: /老公|丈夫|先生/, words: '老公 丈夫 先生 爱人 对象 结婚 婚 孩子他爸' },
  { asked: /老婆|妻子|太太|媳妇/, words: '老婆 妻子 太太 媳妇 爱人 对象 结婚 婚 内人' },
  { asked: /爷爷/, words: '爷' },
  { asked: /奶奶/, words: '奶奶 祖母' },
  { asked: /外公|姥爷/, words: '外公 姥爷 外祖' },
  { asked: /外婆|姥姥/, words: '外婆 姥姥 外祖' },
  { asked: /舅舅?/, words: '舅' },
  { asked: /叔叔?/, words: '叔' },
  { asked: /姑姑?|姑妈/, words: '姑' },
]
/** Words for other close people, and pets. */
const OTHERS =
  'friend friends mate mates neighbour neighbours neighbor neighbors colleague colleagues coworker boss girlfriend boyfriend flatmate roommate fiancé fiancée niece nephew landlord landlady manager partner spouse ex housemate dog cat'
/** Patterns, without groups, of words for relatives and others close to a person. */
export const RELATIVE: string = [
  ...new Set([...Object.values(RELATIONS), OTHERS].flatMap((words) => words.split(' '))),
]
  .filter((word) => !/^(?:marry|married|wedding|pregnant|boy|girl|baby|pop|pops)$/.test(word))
  .join('|')
export const RELATIVE_CHINESE =
  '妈|爸|母亲|父亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥|姐|弟|妹|叔|舅|姑|姨|老公|老婆|丈夫|妻子|先生|太太|媳妇|对象|男友|女友|男朋友|女朋友|儿子|女儿|闺女|孩子|娃|朋友|闺蜜|死党|哥们|前任|婆婆|公公|岳父|岳母|嫂子?|侄[子女儿]?|外甥女?|房东|同事|同学|室友|邻居|老板|领导|猫|狗'
/** Matches words of a group that tell of a relation without a name for a person: “married”. */
const NO_PERSON = /^(?:marry|married|wedding|pregnant|结婚|婚|怀孕)$/u
/** Groups of words for the same close person, for words that `CHINESE_RELATIONS` lacks. */
const SAME_CHINESE = [
  '爸妈 父母 爸 妈 爹 娘',
  '伴侣 老公 老婆 爱人 对象 男友 女友 男朋友 女朋友',
  '女朋友 女友 对象',
  '男朋友 男友 对象',
  '老板 领导 上司',
  '室友 舍友',
  '朋友 闺蜜 死党 哥们',
]
/** Groups of words for the same close person, for words that `RELATIONS` lacks. */
const SAME_ENGLISH = [
  'parent mother mum mom mam father dad papa',
  'sibling sister brother',
  'spouse husband wife',
  'partner husband wife boyfriend girlfriend fiancé fiancée',
  'girlfriend partner',
  'boyfriend partner',
  'friend friends mate mates bestie buddy',
  'boss manager supervisor',
  'flatmate roommate housemate',
  'colleague coworker workmate',
  'neighbour neighbor',
]
const ROLES = [...Object.keys(RELATIONS), ...Object.keys(SYNONYMS)].join('|')
const ASKED = new RegExp(
  String.raw`(?:\b(?:my|our)|\p{L}['’]s) (?:(?:own|older|elder|younger|little|big|late|only) )?(?<role>${ROLES})\b`,
  'iu',
)
/** Matches questions for existence or number: “Do I have kids?” */
const ASKED_IF_ANY = new RegExp(
  String.raw`^(?:(?:do|did|does|have|has) \S+ (?:have|had|got) (?:an?|any)?|how many) ?(?:(?:older|elder|younger|little|big) )?(?<role>${ROLES})\b(?=\s*(?:[?.]|$)| do | does | have | has )`,
  'iu',
)
/** Matches questions for existence or number in Chinese: 我有哥哥吗？ */
const ASKED_IF_ANY_CHINESE =
  /^(?:我|我们|咱们?)(?:有没有|有几个|有)(?<role>\p{Script=Han}{1,3}?)(?:吗|么|没有)?[？?]*$/u
/** Matches 我爸爸, 我的哥哥, 我家孩子. */
const ASKED_CHINESE = /(?:我们?|咱们?|俺)(?:的|家)?(?<role>\p{Script=Han}{1,3})/u
