import type { AskChecked } from '../ask-checked.ts'
import type { ThemeTeller } from './make-theme.ts'
import { askChangePrompt } from './prompts/ask-change.ts'
import { changeMemoryPrompt } from './prompts/change-memory.ts'
import { tellMemoryPrompt } from './prompts/tell-memory.ts'
import { themeMemoriesPrompt } from './prompts/theme-memories.ts'
import { CONFLICTS_PER_THEME } from './theme-record.ts'

/** A theme in a language model's words. @throws GenerateError when it gives no usable answer, then or later. */
export async function modelTheme(ask: AskChecked, theme: string, user: string): Promise<ThemeTeller> {
  const { memories: texts } = await ask(themeMemoriesPrompt, { theme, user })
  const memories = texts.map((text, index) => ({
    id: `m${index + 1}`,
    text,
    modifications: CONFLICTS_PER_THEME,
    deletable: true,
  }))
  const now = new Map(memories.map(({ id, text }) => [id, text]))
  return {
    memories,
    async tell(memory) {
      const after = now.get(memory) ?? ''
      const { said, reply } = await ask(tellMemoryPrompt, { memory: after })
      return { memory, kind: 'add', before: null, after, user: said, agent: reply }
    },
    async change({ memory, kind }) {
      const before = now.get(memory) ?? ''
      const others = [...now].flatMap(([id, text]) => (id === memory ? [] : [text]))
      const { after, said, reply } = await ask(changeMemoryPrompt, { kind, memory: before, others })
      if (after === null) now.delete(memory)
      else now.set(memory, after)
      return { memory, kind, before, after, user: said, agent: reply }
    },
    ask: ({ before, after }) => ask(askChangePrompt, { before: before ?? '', after }),
  }
}
