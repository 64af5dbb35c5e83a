import { quoted } from 'keepsake/preset'

/** Data by tag: a text, or a list of texts, which are numbered from 1. */
export type Shown = Readonly<Record<string, string | readonly string[]>>

/** Writes data between tags. Nothing in the data can close a tag. */
export function fence(shown: Shown): string {
  return Object.entries(shown)
    .map(([tag, data]) => {
      const lines = typeof data === 'string' ? [quoted(data)] : data.map(numbered)
      return `<${tag}>\n${lines.join('\n')}\n</${tag}>`
    })
    .join('\n')
}

function numbered(text: string, place: number): string {
  return `(${place + 1}) ${quoted(text)}`
}
