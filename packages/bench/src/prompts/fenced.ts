import { quoted } from 'keepsake/parts'

/** One text as data between tags. Nothing in it can close them. */
export function fenced(tag: string, text: string): string {
  return `<${tag}>\n${quoted(text)}\n</${tag}>`
}

/** Texts as data between tags, numbered from 1. */
export function fencedList(tag: string, texts: readonly string[]): string {
  const lines = texts.map((text, place) => `(${place + 1}) ${quoted(text)}`)
  return `<${tag}>\n${lines.join('\n')}\n</${tag}>`
}
