import { z } from 'zod'
import { generatePrompt, unmet } from '../../generate-prompt.ts'

export interface VerifyDraftInput {
  /** What the draft was made from, and the draft, as JSON. */
  readonly from: string
  readonly draft: string
}

/** HaluMem's stages 1 and 2: a draft of a person or a life is checked before it is used. */
export const verifyDraftPrompt = generatePrompt({
  id: 'generate-verify-draft',
  version: 1,
  schema: z.object({ faults: z.array(z.string()) }),
  shape: '{"faults": ["…"]}',
  rules: {
    en: `Check <draft>, the plan of a person or of a life, which was made from <from>.

- A fault is what cannot be so: ages, dates, incomes or schooling that do not fit each other or the profession; relations that contradict each other; a step that needs another one first, or undoes one without a word; something that contradicts <from>; a real company or a well-known person.
- One short sentence each, with what is wrong and what it clashes with. Taste, style and what is merely unlikely are no faults. Nothing wrong: an empty list, which is often right.`,
    zh: `检查 <draft>：它是根据 <from> 写的人物或人生规划。

- 矛盾才算错：年龄、日期、收入、学历彼此对不上，或与职业不符；人物关系自相矛盾；某一步缺了必要的前一步，或不加说明就推翻了前面；与 <from> 冲突；用了真实的公司或名人。
- 每个错写一句短话，说明错在哪里、和什么冲突。口味、文风、只是少见的情况都不算错。没有错就写空列表，很多时候就该是空的。`,
  },
  material: ({ from, draft }: VerifyDraftInput) => ({ from, draft }),
  problems: ({ faults }) => unmet({ 'A fault is empty.': faults.every((fault) => fault.trim() !== '') }),
})
