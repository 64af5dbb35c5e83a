import { z } from 'zod'
import { dayProblems, generatePrompt, textProblems, unmet, type Redrafted } from '../../generate-prompt.ts'

export interface PersonaInput extends Redrafted {
  /** A few words to start from. */
  readonly seed: string
  /** The first day of the talks, `2025-09-04`. */
  readonly startsOn: string
}

const answerSchema = z.object({
  name: z.string().min(1),
  gender: z.enum(['Female', 'Male', 'Other']),
  birthDate: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  location: z.string(),
  education: z.string(),
  personality: z.array(z.string()),
  family: z.array(z.string()),
  lifeGoal: z.string(),
  work: z.object({ title: z.string(), employer: z.string(), monthlyIncome: z.string() }),
  health: z.object({ body: z.string(), mind: z.string() }),
  relationships: z.array(z.object({ name: z.string(), relation: z.string(), about: z.string() })),
  preferences: z.array(
    z.object({ category: z.string(), likes: z.array(z.string()), dislikes: z.array(z.string()) }),
  ),
})

export type PersonaAnswer = z.infer<typeof answerSchema>

const PREFERENCES = { least: 6, most: 8 } as const

/** HaluMem's stage 1: core profile, dynamic state and preferences of a made-up person. */
export const personaPrompt = generatePrompt({
  id: 'generate-persona',
  version: 2,
  schema: answerSchema,
  shape: `{"name": "…", "gender": "Female", "birthDate": "1988-02-11", "location": "…", "education": "…", "personality": ["…"], "family": ["…"], "lifeGoal": "…", "work": {"title": "…", "employer": "…", "monthlyIncome": "…"}, "health": {"body": "…", "mind": "…"}, "relationships": [{"name": "…", "relation": "…", "about": "…"}], "preferences": [{"category": "…", "likes": ["…"], "dislikes": ["…"]}]}`,
  rules: {
    en: `Invent a person from the seed, as alive as a neighbour.

- Core: name, gender (Female, Male or Other), birth date, where they live, education; "personality" with three to five traits of a few words; "family" with one short sentence for each member: name, relation, one thing about them; a goal in life that can be reached step by step.
- State on <day>: work with title, employer and monthly income, health of body and mind, two to four relationships outside the family with one short sentence each.
- Preferences in six to eight categories, such as food, music, films, sport, travel, clothes, games, animals, books, drinks: one to three likes and one dislike each, in a few words that name something specific ("dill pickles", never "good food").
- Everything fits together, ages and dates too. People and companies are invented, places may be real.`,
    zh: `从种子出发虚构一个人，要像邻居一样真实。

- 核心信息：姓名、性别（Female、Male 或 Other）、出生日期、住处、学历；"personality" 写三到五个特点，每个几个字；"family" 每位家人一句短话：名字、关系、一个特点；一个能一步步实现的人生目标。
- <day> 这天的状况：职务、单位、月收入，身体和心理状况，家人之外的两到四段关系，每段一句短话。
- 六到八类喜好，如饮食、音乐、电影、运动、旅行、穿着、游戏、动物、书、饮料：每类一到三样喜欢的、一样不喜欢的，用几个字点出具体的东西（“糖蒜”，不要“好吃的”）。
- 前后一致，年龄和日期也要对得上。人物和公司要虚构，地名可以是真的。`,
  },
  material: ({ seed, startsOn }: PersonaInput) => ({ seed, day: startsOn }),
  problems: ({ preferences, relationships, birthDate }, { startsOn }) => [
    ...textProblems(
      'category',
      preferences.map(({ category }) => category),
    ),
    ...dayProblems([birthDate]),
    ...unmet({
      [`There are ${preferences.length} categories of preferences; write six to eight.`]:
        preferences.length >= PREFERENCES.least && preferences.length <= PREFERENCES.most,
      'A category has nothing that is liked.': preferences.every(({ likes }) => likes.length > 0),
      'There are no relationships.': relationships.length > 0,
      'The person is born after the talks begin.': birthDate < startsOn,
    }),
  ],
})
