/** A question whose answer is two statements away, and the word that answers it. */
export interface TwoStepQuestion {
  readonly question: string
  readonly answer: string
}

/** Talks with the questions on them. */
export interface TwoStepTalk {
  readonly language: 'en' | 'zh'
  readonly turns: readonly string[]
  readonly questions: readonly TwoStepQuestion[]
}

const talk = (
  language: 'en' | 'zh',
  turns: readonly string[],
  asked: Readonly<Record<string, string>>,
): TwoStepTalk => ({
  language,
  turns,
  questions: Object.entries(asked).map(([question, answer]) => ({ question, answer })),
})

/** Written before the relations were read from talk: four talks, twenty questions in each language. */
export const TWO_STEP_TALKS: readonly TwoStepTalk[] = [
  talk(
    'en',
    [
      'I work at Bosch and I live in Ghent.',
      'My sister Mia is coming over this weekend.',
      "Mia's husband is called Paul.",
      'Paul is a pilot. He works for Lufthansa.',
      'My husband Karl teaches physics at a school in Aalst.',
      "Karl's colleague Sven is allergic to nuts, so no cake for him.",
      'My brother Tom is married to Elena.',
      'Elena is from Valencia. She teaches chemistry.',
      'My best friend is Anna.',
      'Anna lives in Leeds these days.',
      "Anna's daughter is called Ruth, and Ruth is four.",
    ],
    {
      "Where does my sister's husband work?": 'Lufthansa',
      "Who is Mia's husband's employer?": 'Lufthansa',
      "Who does Mia's husband work for?": 'Lufthansa',
      "What does my sister's husband do for a living?": 'pilot',
      "What is my husband's colleague allergic to?": 'nuts',
      "Where is my brother's wife from?": 'Valencia',
      "What does Tom's wife teach?": 'chemistry',
      'Where does my best friend live?': 'Leeds',
      "How old is my best friend's daughter?": 'four',
      "How old is Anna's daughter?": 'four',
    },
  ),
  talk(
    'en',
    [
      'I just moved to Bristol and started at a law firm.',
      'My friend Omar has a sister called Leila.',
      'Leila works at the BBC.',
      "Omar's boss is Mr Grant.",
      'Mr Grant lives in Brighton.',
      'My boss is called Ingrid.',
      "Ingrid's son plays the cello.",
      'My neighbour Walter has a dog named Biscuit.',
      'Biscuit is fourteen now and nearly deaf.',
      'My aunt Rosa runs a bakery in Porto.',
      "Rosa's business partner is Duarte.",
      'Duarte comes from Goa.',
      'My cousin Ben studies law at Leiden.',
      "Ben's flatmate is Jonas. Jonas works at Shell.",
      'My daughter Ella has a teacher called Ms Park.',
      'Ms Park is moving to Oslo next year.',
    ],
    {
      "Who is Omar's sister's employer?": 'BBC',
      "Where does Omar's sister work?": 'BBC',
      "Where does Omar's boss live?": 'Brighton',
      "What does my boss's son play?": 'cello',
      "How old is my neighbour's dog?": 'fourteen',
      "Where does Rosa's business partner come from?": 'Goa',
      "Where does my aunt's business partner come from?": 'Goa',
      "Where does my cousin's flatmate work?": 'Shell',
      "Where is my daughter's teacher moving?": 'Oslo',
      "Where does my friend's sister work?": 'BBC',
    },
  ),
  talk(
    'zh',
    [
      '我在腾讯上班，住在深圳。',
      '我姐姐叫林悦，她在华为上班。',
      '林悦的老公是陈峰。',
      '陈峰在中国银行工作。',
      '我弟弟的女朋友叫小雯。',
      '小雯是成都人，特别能吃辣。',
      '我闺蜜叫阿琳，住在苏州。',
      '阿琳的女儿叫朵朵，今年五岁。',
      '朵朵的老师是王老师。',
      '王老师会弹钢琴。',
    ],
    {
      '我姐姐的老公在哪里工作？': '中国银行',
      '林悦的老公在哪家单位上班？': '中国银行',
      '我姐夫在哪里上班？': '中国银行',
      '我弟弟的女朋友是哪里人？': '成都',
      '我闺蜜的女儿几岁了？': '五岁',
      '阿琳的女儿多大了？': '五岁',
      '朵朵的老师会弹什么？': '钢琴',
      '我闺蜜的女儿叫什么？': '朵朵',
      '我姐姐的丈夫是谁？': '陈峰',
      '我闺蜜住在哪里？': '苏州',
    },
  ),
  talk(
    'zh',
    [
      '我刚搬到武汉，在医院当护士。',
      '我同事大刘的妹妹叫刘芳。',
      '刘芳在电视台做记者。',
      '大刘的房东是赵姐。',
      '赵姐养了一只鹦鹉。',
      '我表哥叫孙浩，在杭州读博。',
      '孙浩的导师是何教授。',
      '何教授是上海人。',
      '我老板是魏总。',
      '魏总的儿子在英国留学。',
      '我室友小凯的女友叫苏苏。',
      '苏苏对花生过敏。',
      '我舅舅的合伙人是老郑。',
      '老郑以前是厨师。',
    ],
    {
      '大刘的妹妹做什么工作？': '记者',
      '我同事的妹妹在哪里工作？': '电视台',
      '大刘的房东养了什么？': '鹦鹉',
      '我表哥的导师是哪里人？': '上海',
      '孙浩的导师是哪里人？': '上海',
      '我老板的儿子在哪里留学？': '英国',
      '我室友的女友对什么过敏？': '花生',
      '小凯的女朋友不能吃什么？': '花生',
      '我舅舅的合伙人以前做什么？': '厨师',
      '大刘的妹妹叫什么名字？': '刘芳',
    },
  ),
]
