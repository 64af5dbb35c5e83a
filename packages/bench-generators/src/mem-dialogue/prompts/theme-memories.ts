import { z } from 'zod'
import { MEMORIES_PER_THEME } from '../theme-record.ts'
import { generatePrompt, textProblems, failedChecks } from '../../generate-prompt.ts'

/** Asks for ten memories of a person about a theme: SSMF's first stage (MMM, section 2.2.1). */
export const themeMemoriesPrompt = generatePrompt({
  id: 'generate-theme-memories',
  version: 2,
  schema: z.object({ memories: z.array(z.string()) }),
  shape: '{"memories": ["…", "…"]}',
  material: ({ theme, user }: { theme: string; user: string }) => ({ theme, name: user }),
  problems: ({ memories }, { user }) => [
    ...textProblems('memory', memories),
    ...failedChecks({
      [`There are ${memories.length} memories; write exactly ${MEMORIES_PER_THEME}.`]:
        memories.length === MEMORIES_PER_THEME,
      [`Each memory must name ${user}.`]: memories.every((memory) => memory.includes(user)),
    }),
  ],
})
