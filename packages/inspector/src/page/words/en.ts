import { count } from './en/count.ts'
import { gate } from './en/gate.ts'
import { memories } from './en/memories.ts'
import { overview } from './en/overview.ts'
import { people } from './en/people.ts'
import { shell } from './en/shell.ts'
import { states } from './en/states.ts'
import { why } from './en/why.ts'
import { words } from './en/words.ts'

/** All that the shell and the first pages say, in English: a file a page, so that those who work on different pages do not meet. */
export const EN = {
  shell,
  gate,
  states,
  words,
  people,
  overview,
  memories,
  why,
  persona: { title: 'Persona' },
  story: { title: 'Story' },
  portrait: { title: 'Portrait' },
  retention: { title: 'Retention' },
  conversation: { title: 'Conversation' },
  data: { title: 'Your data' },
  count,
}

/** What the page says in one language. */
export type Words = typeof EN
