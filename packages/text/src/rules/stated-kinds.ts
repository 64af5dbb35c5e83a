// Values that a request to forget names by one word and statements by others: “my weight”, “I weigh 92 kilos”.
/** A kind of value that people name by one word and state by another: “my weight”, but “I weigh 92 kilos”. */
export interface StatedKind {
  /** Search words that find its statements. */
  readonly words: string
  /** Matches a statement of the speaker's own value. */
  readonly states: RegExp
  /** Persona keys of its facts. */
  readonly keys?: readonly string[]
}

/** Returns the names of the part of life that a fact's value belongs to: a health fact “takes insulin” belongs to medication. */
export function namesOfPart(key: string | null, value: string | null): string {
  return LIFE.find(({ keys, values }) => keys.includes(key ?? '') && values?.test(value ?? ''))?.names ?? ''
}

/** Maximum number of words of a topic that names a part of life: “my health”, 身体上的毛病. */
const MAX_TOPIC_WORDS = 3

/**
 * Returns the kind of value that a topic names, or `null` for other topics.
 *
 * @param about in simplified characters
 * @example
 * readStatedKind('my weight')?.states.test('I weigh 92 kilos.') // true
 */
export function readStatedKind(about: string): StatedKind | null {
  return STATED[TOPICS.findIndex((topic) => topic.test(about))] ?? null
}

/**
 * Returns the part of life that a topic names, or `null` for other topics. Its statements are only likely ones, so the caller asks the user.
 *
 * @param about in simplified characters
 * @example
 * readPartOfLife('my religion')?.states.test('I go to mass on Sundays.') // true
 */
export function readPartOfLife(about: string): StatedKind | null {
  if (about.split(/\s+/).length > MAX_TOPIC_WORDS) return null
  return LIFE.find(({ topic }) => topic.test(about)) ?? null
}

/** Names without their endings and variants. */
const plainNames = (names: string): string => names.replace(/\([^)]*\)\??|[^\p{L}]/gu, ' ')

/** Matches one of several words. In scripts with spaces it must be a whole word. */
const anyOf = (words: readonly string[]): RegExp =>
  new RegExp(
    words
      .map((word) => (HAN.test(word) ? word : String.raw`(?<![\p{L}\p{N}])(?:${word})(?![\p{L}\p{N}])`))
      .join('|'),
    'iu',
  )

const NUMBER_ZH = '[\\d一二三四五六七八九十百]+'
const LIVES = String.raw`\b(?:I(?:['’]m| am)? (?:live|living|moved)|my (?:home|house|flat) is|(?:ich|wir) wohnen?|vivo|vivimos|j['’]habite|nous habitons|moro|moramos)\b|^(?:我们?)?(?:家|现在|一直)*住|住んで(?:い|る)|살(?:아|고)`

/** The kinds of values. `names` are alternatives of a pattern for the topic of a request to forget. */
const KINDS: readonly (StatedKind & { readonly names: string })[] = [
  {
    names:
      '(?:body ?)?weight|(?:how much|what)? ?(?:i )?weigh|gewicht|poids|peso|体重|我?(?:有)?多重|몸무게|체중',
    words: 'weigh weighed kg kilo kilos pounds wiege pèse peso 公斤 斤 킬로',
    states:
      /\bI(?:['’]m| am)? (?:\p{L}+ ){0,2}?(?:weigh(?:ed|ing)?\b|\d[\d.,]* ?(?:kg|kilos?|pounds|lbs|stone)\b)|\bich wiege\b|\bje p[eè]se\b|\bpeso \d|^我[^，。他她]{0,6}\d+(?:多)?(?:公?斤|kg)/iu,
  },
  {
    names:
      '(?:salary|income|wages?|earnings|pay)|(?:how much|what)? ?(?:i )?(?:earn|make|get paid)|gehalt|lohn|einkommen|salaire|salario|sueldo|sal[aá]rio|(?:工资|薪水|月薪|年薪|收入)|我?(?:挣|赚)多少(?:钱)?|[给給]料|年收|월급|연봉',
    words: 'earn make paid month year hour verdiene gano gagne ganho recebo 挣 赚 拿 每月 每个月 稼 벌어',
    states:
      /\bI(?:['’]m| am)? (?:earn(?:ing)?\b|(?:get )?paid\b|mak(?:e|ing) [^.!?]*\d[^.!?]*\b(?:an?|per) (?:year|month|week|hour)\b)|\bich verdiene\b|\bje gagne\b|\bgano \d|\b(?:ganho|recebo) \d|^我[^，。他她]{0,8}[挣赚拿][^，。]*[\d一二三四五六七八九十百千万块元]|^我?[^，。他她]{0,6}(?:工资|月薪|年薪|底薪|到手|税后)[^，。]{0,3}[\d一二三四五六七八九十]|稼い|벌어/iu,
  },
  {
    names:
      '(?:home )?address|adresse|anschrift|direcci[oó]n|endere[cç]o|morada|(?:家庭)?(?:地址|住址)|住所|주소',
    words: 'live street road lane wohne vivo calle habite rue moro rua 住 号 路 区 살아요',
    states: new RegExp(
      `\\b(?:house|flat) number\\b|门牌|^(?=.*(?:${LIVES})).*(?:\\d|street|stra(?:ß|ss)e|\\brue\\b|\\bcalle\\b|\\brua\\b|[路街巷号區区町丁]|[구동로]에)`,
      'iu',
    ),
  },
  {
    names: `where (?:(?:i|we) )?live|wo (?:ich )?wohne|d[oó]nde vivo|o[uù] j['’]habite|onde moro|我?(?:家)?住(?:在)?哪[里儿裡]?`,
    words: 'live moved wohne vivo habite moro 住',
    states: new RegExp(LIVES, 'iu'),
  },
  {
    names:
      '(?:real |exact )?age|how old(?: i)?(?: am)?|alter|wie alt(?: ich)?(?: bin)?|[aâ]ge|edad|cu[aá]ntos a[nñ]os tengo|idade|(?:年[龄纪齢]|岁数)|我?(?:今年)?(?:多大|几岁)(?:了)?|나이',
    words: 'old turned years jahre ans años anos 岁 歳 살',
    states: new RegExp(
      String.raw`\bI(?:['’]m| am| just)?(?: turned| turning)? (?:nearly |almost )?\d{1,3}(?=[\s\p{P}]*$|,| (?:years|now|and|this|last|in|on|today|tomorrow))|\bI(?:['’]m| am) \p{L}+(?:[- ]\p{L}+)? years old|\bich bin \d+|\btengo \d+ a[nñ]os|\bj['’]ai \d+ ans|\btenho \d+ anos|^我[^，。他她]{0,4}${NUMBER_ZH}岁|^私?は?\d+歳|^(?:나는|저는|난)?\s*\d+살`,
      'iu',
    ),
  },
]

/**
 * Parts of life that people name by one word and talk about in many. Each entry has the names, words of statements, the keys of its
 * facts, and a pattern of values that belong to this part alone.
 */
const PARTS_OF_LIFE: readonly (readonly [names: string, words: string, keys?: string, values?: RegExp])[] = [
  [
    'medications?|medicines?|meds|pills|prescriptions?|medikamente?|medicamentos?|m[eé]dicaments?|rem[eé]dios?|(?:吃?的?|用)药|薬|약',
    'tablets? pills? mg dose prescribed medication injection insulin tablette pastilla comprim[eé] 吃药 药 片 针 薬 약',
    'health',
    /^(?:takes|吃|服用)/iu,
  ],
  [
    'health|medical|illness(?:es)?|diagnos[ie]s|disease|gesundheit|krankheit|salud|enfermedad|sant[eé]|maladie|sa[uú]de|doen[cç]a|健康|病情?|身体(?:上)?的?毛病|病気|건강|병',
    'diagnosed illness disease surgery operat(?:ion|ing|ed) hospital doctor therapy pain pregnan(?:t|cy) miscarriage allergic cancer diabetes asthma hernia depression anxiety bipolar \\p{L}+itis \\p{L}+osis krank arzt enferm[oa] m[eé]dico malade m[eé]decin doente 病 手术 医院 医生 炎 癌 症 疼 阳',
    'health allergies',
  ],
  [
    'allerg(?:y|ies)|intolerances?|allergien?|alergias?|过敏(?:史|原)?|アレルギー|알레르기',
    'allergic intolerant anaphylaxis epipen hives allergisch al[eé]rgic[oa] allergique 过敏 アレルギー 알레르기',
    'allergies',
  ],
  [
    'religion|faith|beliefs|glaube|religi[oó]n|religi[aã]o|foi|信仰|宗教|종교',
    'church mass mosque synagogue temple pray(?:er|ing)? priest imam rabbi baptised catholic muslim jewish hindu buddhist christian god kirche beten iglesia misa [eé]glise messe igreja 教堂 教会 礼拜 拜佛 佛 祷告 烧香 信主 교회',
  ],
  [
    'money|finances?|debts?|geld|schulden|dinero|deudas?|argent|dettes?|dinheiro|d[ií]vidas?|钱|债|お金|借金|돈|빚',
    'owe loan mortgage savings debt salary earn pension \\d+(?:k|€|£) euros? dollars? pounds schulde debo dois devo 欠 贷款 存款 工资 块 万 元 빚',
  ],
  [
    'job|work|career|arbeit|beruf|trabajo|travail|boulot|trabalho|emprego|工作|上班|仕事|직장',
    'work(?:ed|ing)? job fired sacked hired boss shifts? promoted resigned arbeite trabajo travaille trabalho 上班 公司 老板 辞职 工作 同事 炒 裁 仕事 회사',
    'occupation employer',
  ],
  [
    'contacts?(?: details)?|phone(?: number)?|mobile|e-?mail(?: address)?|telefon(?:nummer)?|tel[eé]fono|correo|t[eé]l[eé]phone|telefone|联系方式|电话|手机号?|微信号?|邮箱|連絡先|電話|연락처|전화',
    'number \\d{6,} email whatsapp telegram nummer n[uú]mero num[eé]ro correo 电话是 手机号 微信号? 邮箱 番号 번호',
  ],
]

/** Words for “my”. */
const OF_SPEAKER = String.raw`(?:my|mine?n?|mi|mon|ma|meu|minha|m[ei]in\p{L}*|我们?的?|私の|내|제)\s*`
/** Matches a topic that names a kind alone: “my weight”. */
const TOPICS = KINDS.map(
  ({ names }) =>
    new RegExp(String.raw`^\s*(?:${OF_SPEAKER})?(?:${names})(?: (?:info|details?|data))?\s*$`, 'iu'),
)
/** Statements of each kind: by a verb (“I weigh 92 kilos”), or by a name of the kind (“my weight is 92 kilos”). */
const STATED = KINDS.map(({ names, states, words }) => ({
  words: `${words} ${plainNames(names)}`,
  states: new RegExp(
    `${states.source}|(?<!\\p{L})${OF_SPEAKER}(?:${names})\\s*(?:(?:is|was|ist|betr[aä]gt|es|est|é)\\b|(?:大[概约]|差不多|快|才)?[:：=是为有は이가은는\\d一二三四五六七八九十])`,
    'iu',
  ),
}))

const HAN = /\p{Script=Han}|\p{Script=Hangul}/u
const LIFE = PARTS_OF_LIFE.map(([names, words, keys = '', values]) => ({
  names: plainNames(names),
  values,
  topic: anyOf(names.split('|')),
  words: words.replace(/\([^)]*\)\??|[^\p{L}\s]/gu, ''),
  states: anyOf(words.split(' ')),
  keys: keys.split(' '),
}))
