import type { GuidelinesInput } from 'keepsake'

/** A talk with an application's guidelines. Turns alternate, the user's first. */
export interface GuidedTalk {
  readonly name: string
  readonly guidelines: GuidelinesInput
  readonly turns: readonly string[]
  /** What a reader writes who ignores the guidelines: statements with the turn and the words they rest on. */
  readonly ignored: readonly (readonly [text: string, turn: number, quote: string])[]
  /** Words of which none may be in any statement or summary. */
  readonly never: readonly string[]
  /** Words that some statement has. */
  readonly keep: readonly string[]
}

export const GUIDED_TALKS: readonly GuidedTalk[] = [
  {
    name: 'a Spanish tutor',
    guidelines: {
      keep: ['mistakes they make in Spanish and what they practised', 'why they learn it'],
      never: ['names of people other than the user', 'what things cost and what anybody earns'],
    },
    turns: [
      'I did the past tense sheet last night. I still mix up fui and era, every single time.',
      'Those two are the classic trap! Did you do it alone?',
      'With my flatmate Oksana, she got a raise at the hospital and brought wine, so we were slow. The course is 340 euros a month by the way, robbery.',
      'Ha. Shall we drill fui and era on Thursday?',
      'Yes, Thursday. I want to be able to talk to my grandmother in Cádiz by August, she is turning ninety.',
      'What a good reason.',
    ],
    ignored: [
      ["The user's flatmate is called Oksana.", 3, 'my flatmate Oksana'],
      ["The user's flatmate got a raise at the hospital.", 3, 'got a raise at the hospital'],
      ["The user's Spanish course is 340 euros a month.", 3, '340 euros a month'],
      ['The user still mixes up fui and era.', 1, 'still mix up fui and era'],
      [
        'The user wants to be able to talk to their grandmother in Cádiz by August.',
        5,
        'talk to my grandmother in Cádiz',
      ],
    ],
    never: ['Oksana', '340', 'euro', 'raise', 'cost'],
    keep: ['fui', 'Cádiz'],
  },
  {
    name: 'a running coach',
    guidelines: {
      keep: 'runs with their distance and time',
      never: ['health conditions, injuries and medication', 'body weight'],
    },
    turns: [
      'Did the 10k loop this morning in 54 minutes, my best this year.',
      'Brilliant! How did you feel?',
      'Good until km 8, then my Achilles flared up again, the doc gave me diclofenac. And I am down to 71 kilos.',
      'Take care of it. Next week?',
      'I registered for the half marathon in Ghent on 12 October, with my colleague Femke. I walk the dog an hour a day as well, that counts, no?',
      'It does!',
    ],
    ignored: [
      ["The user's Achilles flared up again.", 3, 'my Achilles flared up again'],
      ['The doc gave the user diclofenac.', 3, 'the doc gave me diclofenac'],
      ['The user is down to 71 kilos.', 3, 'down to 71 kilos'],
      ['The user walks the dog an hour a day.', 5, 'walk the dog an hour a day'],
      [
        'The user registered for the half marathon in Ghent on 12 October.',
        5,
        'registered for the half marathon',
      ],
    ],
    never: ['Achilles', 'diclofenac', '71', 'doc', 'kilo', 'injur'],
    keep: ['54', 'Ghent', 'dog'],
  },
  {
    name: 'a bicycle shop',
    guidelines: {
      keep: 'the bicycle, its parts and what was done to it',
      never: ['where the customer lives', 'what the customer thinks of members of staff'],
    },
    turns: [
      'Hi, the Kona I bought in March creaks at the bottom bracket. It is the 2023 Rove, size 54.',
      'We can look at it. Could you bring it in?',
      'Could you fetch it? Tannery Lane 9, second floor, the green door. And please not Bert again, he was rude to me last time.',
      'We can fetch it on Friday.',
      'Friday is good. I put 40 mm tyres on it myself and the chain is new since May.',
      'Noted.',
    ],
    ignored: [
      ['The user lives in Tannery Lane 9, second floor.', 3, 'Tannery Lane 9, second floor'],
      ['The user does not want Bert again, who was rude last time.', 3, 'please not Bert again'],
      ["The user's Kona creaks at the bottom bracket.", 1, 'creaks at the bottom bracket'],
      ['The bicycle is behind the green door.', 3, 'the green door'],
    ],
    never: ['Tannery', 'green door', 'Bert', 'rude'],
    keep: ['Rove', '40'],
  },
  {
    name: '备考助手',
    guidelines: { keep: ['复习进度和薄弱的科目'], never: ['家里的矛盾', '成绩和排名'] },
    turns: [
      '今天把有机化学第三章做完了，命名还是老错。',
      '错在哪里呀？',
      '取代基的顺序。上次模考我才考了 61 分，年级二百多名，我爸气得和我妈吵了一晚上。',
      '辛苦了，那我们先练命名？',
      '好，每天晚上八点到九点练，周日休息。我想考去厦门读海洋专业。',
      '海洋专业很有意思！',
    ],
    ignored: [
      ['用户上次模考考了 61 分。', 3, '上次模考我才考了 61 分'],
      ['用户的爸爸和妈妈吵了一晚上。', 3, '我爸气得和我妈吵了一晚上'],
      ['用户年级二百多名。', 3, '年级二百多名'],
      ['用户想考去厦门读海洋专业。', 5, '想考去厦门读海洋专业'],
      ['用户的命名还是老错。', 1, '命名还是老错'],
    ],
    never: ['61', '二百', '吵', '模考', '爸'],
    keep: ['有机化学', '厦门'],
  },
  {
    name: '菜谱助手',
    guidelines: { keep: '口味、忌口和家里的厨具', never: '病情和用药' },
    turns: [
      '我不吃香菜，也吃不了太辣，微辣可以。',
      '记下啦，那今晚想做什么？',
      '家里只有一个电磁炉和一口铸铁锅。我妈刚查出糖尿病，在吃二甲双胍，得给她单做一份少糖的。',
      '那蒸一条鲈鱼怎么样？',
      '行，鲈鱼她爱吃。周末我女儿回来，她要吃糖醋排骨。',
      '好，到时候我教你。',
    ],
    ignored: [
      ['用户的妈妈刚查出糖尿病。', 3, '我妈刚查出糖尿病'],
      ['用户的妈妈在吃二甲双胍。', 3, '在吃二甲双胍'],
      ['用户要给妈妈单做一份少糖的。', 3, '单做一份少糖的'],
      ['用户不吃香菜。', 1, '不吃香菜'],
    ],
    never: ['糖尿病', '二甲双胍', '查出', '药'],
    keep: ['香菜', '铸铁锅', '糖醋排骨'],
  },
  {
    name: '聊天伙伴',
    guidelines: { keep: ['想做的事和打算'], never: ['工作单位和同事', '收入和存款'] },
    turns: [
      '今天又被老周甩锅，我们蓝图科技就这风气，真想辞职去开民宿。',
      '想开在哪里呢？',
      '大理吧，最好是洱海边，攒了十二万了，还差一些。打算明年春天先去住一个月看看。',
      '先去住一阵很稳妥。',
      '嗯，我还想学吉他，买了一把二手的，下周开始上课。',
      '太好了，期待听你弹。',
    ],
    ignored: [
      ['用户在蓝图科技工作。', 1, '我们蓝图科技'],
      ['用户今天又被老周甩锅。', 1, '又被老周甩锅'],
      ['用户攒了十二万。', 3, '攒了十二万'],
      ['用户想在大理洱海边开民宿。', 3, '大理吧，最好是洱海边'],
      ['用户买了一把二手吉他。', 5, '买了一把二手的'],
    ],
    never: ['老周', '蓝图', '十二万', '攒', '甩锅'],
    keep: ['大理', '吉他'],
  },
]
