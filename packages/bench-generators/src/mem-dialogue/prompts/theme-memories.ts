import { z } from 'zod'
import { MEMORIES_PER_THEME } from '../theme-record.ts'
import { generatePrompt, textProblems, unmet } from '../../generate-prompt.ts'

/** SSMF's first stage: ten memories of a person under a theme (MMM, section 2.2.1). */
export const themeMemoriesPrompt = generatePrompt({
  id: 'generate-theme-memories',
  version: 2,
  schema: z.object({ memories: z.array(z.string()) }),
  shape: '{"memories": ["…", "…"]}',
  rules: {
    en: `Invent a person and write down ten things an assistant could know of them, with the theme as the thread.

- Four to six of them belong to the theme; the others are about the rest of the person's life: work, home, people, health, habits, plans.
- One short sentence for each, in the third person, with the name given. It tells one matter; a name, a number or a thing makes that matter concrete and brings in no second one.
- The ten fit together and are independent: any one could change without another becoming false.
- People and companies are invented, places may be real. Nothing that is true of everybody, nothing offensive.`,
    zh: `虚构一个人物，围绕主题写下助手可能记住的十件事。

- 四到六条与主题有关，其余写生活的别的方面：工作、住处、亲友、健康、习惯、打算。
- 每条一句短话，用第三人称，用给出的名字，只说一件事；名称、数字或物件是为了把这件事说具体，不要带出第二件事。
- 十条互不矛盾，也互不依赖：任何一条变了，其他的仍然成立。
- 人物和公司要虚构，地名可以是真的。不写人人都如此的话，不写冒犯的内容。`,
  },
  material: ({ theme, user }: { theme: string; user: string }) => ({ theme, name: user }),
  problems: ({ memories }, { user }) => [
    ...textProblems('memory', memories),
    ...unmet({
      [`There are ${memories.length} memories; write exactly ${MEMORIES_PER_THEME}.`]:
        memories.length === MEMORIES_PER_THEME,
      [`Each memory must name ${user}.`]: memories.every((memory) => memory.includes(user)),
    }),
  ],
})
