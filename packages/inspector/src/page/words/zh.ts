import { count } from './zh/count.ts'
import { gate } from './zh/gate.ts'
import { memories } from './zh/memories.ts'
import { overview } from './zh/overview.ts'
import { people } from './zh/people.ts'
import { shell } from './zh/shell.ts'
import { states } from './zh/states.ts'
import { why } from './zh/why.ts'
import { words } from './zh/words.ts'
import type { Words } from './en.ts'

/** The same in Chinese. */
export const ZH: Words = {
  shell,
  gate,
  states,
  words,
  people,
  overview,
  memories,
  why,
  persona: { title: '人物表' },
  story: { title: '故事' },
  portrait: { title: '画像' },
  retention: { title: '留存' },
  conversation: { title: '对话' },
  data: { title: '你的数据' },
  count,
}
