import { z } from 'zod'
import { fenced, fencedList } from '../../prompts/fenced.ts'
import { QUESTION_TYPES, type QuestionType } from '../halumem/published-form.ts'
import { generatePrompt, numberProblems, textProblems } from './generate-prompt.ts'

export interface SessionQuestionsInput {
  readonly who: string
  /** Points that hold, those of this session last; their place from 1 is their number. */
  readonly points: readonly string[]
  /** Outdated texts and what was falsely claimed: premises for questions about conflicts. */
  readonly wrong: readonly string[]
  /** One question of each is wanted. */
  readonly types: readonly QuestionType[]
}

const schema = z.object({
  questions: z.array(
    z.object({
      type: z.enum(QUESTION_TYPES),
      question: z.string(),
      answer: z.string(),
      evidence: z.array(z.number()),
      difficulty: z.enum(['easy', 'medium', 'hard']),
    }),
  ),
})

/** HaluMem's stage 6: questions of the six types, with the points they rest on. */
export const sessionQuestionsPrompt = generatePrompt<SessionQuestionsInput, z.infer<typeof schema>>({
  id: 'generate-session-questions',
  schema,
  shape: `{"questions": [{"type": "Basic Fact Recall", "question": "…", "answer": "…", "evidence": [12], "difficulty": "easy"}]}`,
  rules: {
    en: `Write questions that show what a memory of a person is worth, each with its answer and the numbers of the points it rests on.

- Basic Fact Recall: one fact, asked straight.
- Multi-hop Inference: only two or more points together answer it, or their order in time.
- Dynamic Update: how something stands now that was otherwise before.
- Memory Boundary: a detail close to a point that no point tells. The answer says that it is unknown; no evidence.
- Memory Conflict: the question takes something from <wrong> for granted. The answer corrects it by the points.
- Generalization & Application: a new situation in which a taste or trait lets one judge or advise.
- One question of each type asked for, about the latest points where possible. Third person, with the name. The question does not give its answer away. Answers are short.`,
    zh: `出题检验对一个人的记忆，每题写出答案和所依据的记忆编号。

- Basic Fact Recall：直接问一个事实。
- Multi-hop Inference：要把两条以上合起来，或比较先后，才能回答。
- Dynamic Update：以前不是这样的事，现在怎样。
- Memory Boundary：与某条相近、但没有任何一条说到的细节。答案写明不知道；不列依据。
- Memory Conflict：题目把 <wrong> 里的一条当作事实。答案依据记忆予以纠正。
- Generalization & Application：在新的情形下，凭喜好或特点作出判断或建议。
- 要求的每种类型各一题，尽量针对最新的几条。第三人称，写出名字。题目不泄露答案。答案要短。`,
  },
  material: ({ who, points, wrong, types }) =>
    [
      fenced('name', who),
      fencedList('points', points),
      fencedList('wrong', wrong),
      fencedList('types', types),
    ].join('\n'),
  problems: ({ questions }, { points, types }) => [
    ...types
      .filter((type) => questions.filter((one) => one.type === type).length !== 1)
      .map((type) => `There must be exactly one question of the type "${type}".`),
    ...textProblems(
      'question',
      questions.map(({ question }) => question),
    ),
    ...(questions.every(({ answer }) => answer.trim() !== '') ? [] : ['An answer is empty.']),
    ...questions.flatMap(({ evidence }) => numberProblems('point', evidence, points.length)),
    ...questions
      .filter(({ type, evidence }) => (type === 'Memory Boundary') !== (evidence.length === 0))
      .map(({ question }) => `Evidence is for all types but Memory Boundary: ${question}`),
  ],
})
