import type { Words } from '../en.ts'

/** How things are counted, in Chinese. */
export const count: Words['count'] = {
  memories: (_, written) => `${written} 条记忆`,
  turns: (_, written) => `${written} 条消息`,
  sessions: (_, written) => `${written} 次会话`,
}
