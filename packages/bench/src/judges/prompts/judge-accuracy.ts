import { named, quoted, renderTime, type PromptLanguage } from 'keepsake/preset'
import { z } from 'zod'
import type { AccuracyInput } from '../judge.ts'
import { dataPrompt } from '../../prompts/data-prompt.ts'
import { fence } from '../../prompts/fence.ts'

const schema = z.object({
  points: z.array(
    z.object({
      point: z.string(),
      support: z.enum(['supported', 'unsupported', 'contradicted']),
      inGold: z.boolean(),
    }),
  ),
  reason: z.string(),
})

export type JudgeAccuracyAnswer = z.infer<typeof schema>

const ROLES = { en: { user: 'user', assistant: 'agent' }, zh: { user: '用户', assistant: '助手' } } as const

/** Judges the points of a memory (HaluMem's accuracy, figures 13 to 15). A rule derives the verdict from them. */
export const judgeAccuracyPrompt = dataPrompt({
  id: 'judge-accuracy',
  version: 3,
  schema,
  shape:
    '{"points": [{"point": "…", "support": "supported|unsupported|contradicted", "inGold": true|false}], "reason": "…"}',
  maxOutputTokens: 1_500,
  show: ({ memory, dialogue, gold }: AccuracyInput, language) =>
    `${renderDialogue(dialogue, language)}\n${fence({ gold, memory })}`,
  problems: ({ points }) =>
    points.length === 0 ? ['"points" is empty: give every point of the memory.'] : [],
})

/** Renders one turn per line, with its number, time, role and speaker. */
function renderDialogue(dialogue: AccuracyInput['dialogue'], language: PromptLanguage): string {
  const lines = dialogue.map(({ speaker, role, text, at }, place) => {
    const time = at === undefined ? '' : `, ${renderTime(at, null, language)}`
    return `[${place + 1}${time}] ${ROLES[language][role]} (${named(speaker)}): ${quoted(text)}`
  })
  return `<dialogue>\n${lines.join('\n')}\n</dialogue>`
}
