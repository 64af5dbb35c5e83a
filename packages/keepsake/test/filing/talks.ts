import type { OwnKeys } from 'keepsake'
import { z } from 'zod'

/** Statements as a reader extracts them, a turn of the user's each, session by session, and what they come to. */
export interface FiledTalk {
  readonly name: string
  readonly categories: Readonly<Record<string, string>>
  readonly keys: OwnKeys
  readonly sessions: readonly (readonly string[])[]
  readonly states: Readonly<Record<string, unknown>>
  /** Statements by category. */
  readonly filed: Readonly<Record<string, readonly string[]>>
}

const list = { type: 'array', items: { type: 'string' } } as const

export const FILED_TALKS: readonly FiledTalk[] = [
  {
    name: 'a Spanish tutor',
    categories: {
      mistakes: 'Mistakes they make in the language they learn.',
      plans: 'What they plan or want to do with the language.',
    },
    keys: {
      'language-level': {
        description: 'Their level in the language they learn.',
        schema: z.enum(['A1', 'A2', 'B1', 'B2', 'C1', 'C2']),
      },
      goals: {
        description: 'What they want to reach with the language.',
        schema: z.array(z.string().min(3)),
      },
    },
    sessions: [
      [
        "The user's teacher put them in a B1 course of Spanish.",
        'The user mixes up the Spanish forms fui and era.',
        'The user wants to be able to talk to their grandmother in Cádiz in Spanish.',
        'The user has two cats.',
      ],
      [
        'The user passed the B2 exam in Spanish.',
        'The user wants to read Lorca in Spanish.',
        'The user hopes to reach C1 in Spanish next year.',
      ],
    ],
    states: {
      'language-level': 'B2',
      goals: [
        'talk to their grandmother in Cádiz in Spanish',
        'read Lorca in Spanish',
        'reach C1 in Spanish next year',
      ],
    },
    filed: {
      mistakes: ['The user mixes up the Spanish forms fui and era.'],
      plans: [
        'The user wants to be able to talk to their grandmother in Cádiz in Spanish.',
        'The user wants to read Lorca in Spanish.',
        'The user hopes to reach C1 in Spanish next year.',
      ],
    },
  },
  {
    name: 'a running coach',
    categories: { races: 'Races they run or registered for.', gear: 'What they run with.' },
    keys: {
      'weekly-distance': {
        description: 'How far they run in a week.',
        schema: z.number().positive(),
        unit: 'km',
      },
      'best-5k': {
        description: 'Their best time over five kilometres.',
        schema: z.object({ minutes: z.int(), seconds: z.int() }),
      },
      shoes: { description: 'The shoes they run in.', schema: z.array(z.string()), category: 'gear' },
    },
    sessions: [
      [
        'The user runs 30 km a week.',
        'The user ran five kilometres in 24 minutes and 10 seconds, their best time.',
        'The user runs in Saucony Ride shoes.',
        'The user registered for the half marathon in Ghent.',
      ],
      [
        'The user ran 20 miles last week, on holiday.',
        'The user now runs 42 km a week.',
        'The user also runs in trail shoes by Hoka.',
      ],
    ],
    states: {
      'weekly-distance': 42,
      'best-5k': { minutes: 24, seconds: 10 },
      shoes: ['Saucony Ride', 'Hoka trail shoes'],
    },
    filed: {
      races: ['The user registered for the half marathon in Ghent.'],
      gear: ['The user runs in Saucony Ride shoes.', 'The user also runs in trail shoes by Hoka.'],
    },
  },
  {
    name: 'a bicycle shop',
    categories: { bicycle: 'The bicycle they ride.', order: 'What they look for in a new one.' },
    keys: {
      'frame-size': {
        description: 'The size of their frame.',
        schema: { type: 'integer', minimum: 40, maximum: 65 },
        unit: 'cm',
      },
      budget: {
        description: 'What they can spend on a new bicycle.',
        schema: { type: 'number' },
        unit: 'euros',
      },
      wanted: { description: 'What the new bicycle must have.', schema: list },
    },
    sessions: [
      [
        'The bicycle of the user has a 54 cm frame.',
        'The user can spend 1,200 euros on a new bicycle.',
        'The user wants disc brakes and a dynamo on the new bicycle.',
      ],
      [
        'The user wants a chain guard on the new bicycle.',
        'The user can spend 900 pounds on a new bicycle at most, their partner says.',
        'The user cycles to work in the rain.',
      ],
    ],
    states: { 'frame-size': 54, budget: 1_200, wanted: ['disc brakes', 'dynamo', 'chain guard'] },
    filed: {
      bicycle: ['The bicycle of the user has a 54 cm frame.'],
      order: [
        'The user can spend 1,200 euros on a new bicycle.',
        'The user wants disc brakes and a dynamo on the new bicycle.',
        'The user wants a chain guard on the new bicycle.',
        'The user can spend 900 pounds on a new bicycle at most, their partner says.',
      ],
    },
  },
  {
    name: '备考助手',
    categories: { 进度: '学到哪里、练了什么。', 目标: '想考到哪里、考多好。' },
    keys: {
      'weak-topics': { description: '薄弱的知识点。', schema: list, category: '进度' },
      'study-hours': { description: '每天学习多久。', schema: { type: 'number' }, unit: '小时' },
      'exam-date': {
        description: '考试日期。',
        schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
      },
    },
    sessions: [
      [
        '用户的有机化学命名老错。',
        '用户每天学习 2 小时。',
        '用户的考试在 2026-12-21。',
        '用户想考去厦门读海洋专业。',
      ],
      ['用户现在每天学习 3 小时。', '用户的电磁感应也老错。', '用户昨天只睡了 5 小时。'],
    ],
    states: { 'weak-topics': ['有机化学命名', '电磁感应'], 'study-hours': 3, 'exam-date': '2026-12-21' },
    filed: {
      进度: ['用户的有机化学命名老错。', '用户现在每天学习 3 小时。', '用户的电磁感应也老错。'],
      目标: ['用户想考去厦门读海洋专业。'],
    },
  },
  {
    name: '菜谱助手',
    categories: { 口味: '爱吃什么、不吃什么。', 厨具: '家里做饭用的东西。' },
    keys: {
      spice: {
        description: '能吃多辣。',
        schema: z.enum(['不辣', '微辣', '中辣', '特辣']),
        category: '口味',
      },
      avoids: { description: '不吃的食材。', schema: z.array(z.string()), category: '口味' },
      servings: { description: '平时做几个人的饭。', schema: z.int().min(1), unit: '人' },
    },
    sessions: [
      [
        '用户不吃香菜和羊肉。',
        '用户吃不了太辣，微辣可以。',
        '用户家里只有一口铸铁锅。',
        '用户平时做 3 人的饭。',
      ],
      ['用户现在中辣也能吃了。', '用户也不吃内脏。', '用户以后想多吃点素。'],
    ],
    states: { spice: '中辣', avoids: ['香菜', '羊肉', '内脏'], servings: 3 },
    filed: {
      口味: ['用户不吃香菜和羊肉。', '用户也不吃内脏。', '用户以后想多吃点素。', '用户现在中辣也能吃了。'],
      厨具: ['用户家里只有一口铸铁锅。'],
    },
  },
  {
    name: '聊天伙伴',
    categories: { 打算: '想做和打算做的事。', 日常: '每天的生活。' },
    keys: {
      instruments: { description: '会的乐器。', schema: list },
      'wake-time': { description: '每天几点起床。', schema: { type: 'string', pattern: '^\\d{2}:\\d{2}$' } },
      dream: { description: '最想实现的一件事。', schema: { type: 'string', maxLength: 30 } },
    },
    sessions: [
      ['用户会弹钢琴。', '用户想学吉他。', '用户最想在大理开一家民宿。', '用户每天早上 07:30 起床。'],
      ['用户学会了吉他。', '用户换了工作，现在每天 06:45 起床。', '用户的同事会拉小提琴。'],
    ],
    states: {
      instruments: ['钢琴', '吉他'],
      'wake-time': '06:45',
      dream: '在大理开一家民宿',
    },
    filed: {
      打算: ['用户想学吉他。', '用户最想在大理开一家民宿。'],
      日常: ['用户换了工作，现在每天 06:45 起床。'],
    },
  },
]
