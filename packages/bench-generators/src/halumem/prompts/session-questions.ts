import { z } from 'zod'
import { QUESTION_TYPES, type QuestionType } from '../published-form.ts'
import { generatePrompt, numberProblems, textProblems, unmet } from '../../generate-prompt.ts'

export interface SessionQuestionsInput {
  readonly who: string
  /** Points that hold, those of this session last; their place from 1 is their number. */
  readonly points: readonly string[]
  /** What points of this session replaced. */
  readonly outdated: readonly string[]
  /** What the agent falsely claimed. */
  readonly claimed: readonly string[]
  /** How many questions of each type are wanted. */
  readonly types: readonly (readonly [QuestionType, number])[]
}

/** How many points a question rests on. */
const EVIDENCE: Readonly<Record<QuestionType, { readonly least: number; readonly most: number }>> = {
  'Basic Fact Recall': { least: 1, most: Infinity },
  'Multi-hop Inference': { least: 2, most: Infinity },
  'Dynamic Update': { least: 1, most: Infinity },
  'Memory Boundary': { least: 0, most: 0 },
  'Memory Conflict': { least: 0, most: Infinity },
  'Generalization & Application': { least: 1, most: Infinity },
}

/** HaluMem's stage 6: questions of the six types, with the points they rest on. */
export const sessionQuestionsPrompt = generatePrompt({
  id: 'generate-session-questions',
  version: 3,
  schema: z.object({
    questions: z.array(
      z.object({
        type: z.enum(QUESTION_TYPES),
        question: z.string(),
        answer: z.string(),
        evidence: z.array(z.number()),
        difficulty: z.enum(['easy', 'medium', 'hard']),
      }),
    ),
  }),
  shape: `{"questions": [{"type": "Basic Fact Recall", "question": "…", "answer": "…", "evidence": [12], "difficulty": "easy"}]}`,
  rules: {
    en: `Write questions that show what a memory of a person is worth. <points> hold now; <outdated> held before; <claimed> was said by somebody else and is not known to be true.

- Basic Fact Recall: one fact, asked straight.
- Multi-hop Inference: only two or more points together answer it, or their order in time.
- Dynamic Update: how something in <outdated> stands now.
- Memory Boundary: a detail close to a point that no point tells. The answer says that it is unknown.
- Memory Conflict: the question takes something in <outdated> or <claimed> for granted, best something that a point contradicts. The answer corrects it by that point; if no point does, it says that nothing of the kind is known.
- Generalization & Application: a new situation in which a taste or trait lets one judge or advise.
- "evidence": the numbers, in <points> only, of all that the answer rests on; [] where it says that something is unknown.
- "difficulty": easy when a point says the answer, medium when it takes a step from one point or something is unknown, hard when several must be put together.
- As many questions of each type as <types> says, about the latest points, the last ones, where possible; those of one type about different things. Third person, with the name. A question gives away neither its own answer nor that of another. Answers are short.`,
    zh: `出题检验对一个人的记忆。<points> 现在成立，<outdated> 以前成立，<claimed> 是别人说的、无法证实的话。

- Basic Fact Recall：直接问一个事实。
- Multi-hop Inference：要把两条以上合起来，或比较先后，才能回答。
- Dynamic Update：<outdated> 里的某件事现在怎样。
- Memory Boundary：与某条相近、但没有任何一条说到的细节。答案写明不知道。
- Memory Conflict：题目把 <outdated> 或 <claimed> 里的一条当作事实，最好是与 <points> 某条矛盾的。答案据那一条纠正；若没有哪条与它矛盾，就说记忆里没有这回事。
- Generalization & Application：在新的情形下，凭喜好或特点作出判断或建议。
- "evidence"：答案所依据的全部编号，只用 <points> 的编号；答案说不知道或没有这回事的，为 []。
- "difficulty"：有一条直接说出答案为 easy，从一条要再推一步、或答案是不知道为 medium，要把几条合起来为 hard。
- 每种类型出 <types> 里写明的题数，尽量针对排在最后的、最新的几条；同一类型的几题问不同的事。第三人称，写出名字。题目既不泄露自己的答案，也不泄露别题的答案。答案要短。`,
  },
  material: ({ who: name, types, ...rest }: SessionQuestionsInput) => ({
    name,
    ...rest,
    types: types.map(([type, count]) => `${type}: ${count}`),
  }),
  problems: ({ questions }, { points, types }) => [
    ...types
      .filter(([type, count]) => questions.filter((one) => one.type === type).length !== count)
      .map(([type, count]) => `There must be exactly ${count} of the type "${type}".`),
    ...questions
      .filter(({ type }) => types.every(([wanted]) => wanted !== type))
      .map(({ type }) => `No question of the type "${type}" is wanted.`),
    ...textProblems(
      'question',
      questions.map(({ question }) => question),
    ),
    ...questions.flatMap(({ type, question, answer, evidence }) => {
      const { least, most } = EVIDENCE[type]
      const count = new Set(evidence).size
      return [
        ...numberProblems('point', evidence, points.length),
        ...unmet({
          'An answer is empty.': answer.trim() !== '',
          [`This question needs the numbers of ${least} or more points: ${question}`]: count >= least,
          [`What is unknown has no evidence: ${question}`]: count <= most,
        }),
      ]
    }),
  ],
})
