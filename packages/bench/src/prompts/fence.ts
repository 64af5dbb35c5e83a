import { quoted } from 'keepsake/preset'

/** Data by tag: a text, or texts numbered from 1. */
export type Shown = Readonly<Record<string, string | readonly string[]>>

/** Texts between tags, in order. Nothing in them can close a tag. */
export function fence(shown: Shown): string {
  return Object.entries(shown)
    .map(([tag, given]) => {
      const lines = typeof given === 'string' ? [quoted(given)] : given.map(numbered)
      return `<${tag}>\n${lines.join('\n')}\n</${tag}>`
    })
    .join('\n')
}

function numbered(text: string, place: number): string {
  return `(${place + 1}) ${quoted(text)}`
}
