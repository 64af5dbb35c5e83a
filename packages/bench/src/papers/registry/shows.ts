import type { PaperItem } from './paper.ts'

/** An item without measurement: a drawing, a prompt, an example. */
export function shows(id: string, title: string, note: string): PaperItem {
  return { id, title, state: 'shows', note }
}
