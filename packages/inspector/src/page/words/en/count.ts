import { s } from './plural.ts'

/** How things are counted, in English. */
export const count = {
  memories: (count: number, written: string) => `${written} memor${count === 1 ? 'y' : 'ies'}`,
  turns: (count: number, written: string) => `${written} message${s(count)}`,
  sessions: (count: number, written: string) => `${written} session${s(count)}`,
}
