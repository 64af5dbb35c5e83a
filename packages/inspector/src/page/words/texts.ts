import type EN from './en.json'

/** A text with placeholders such as `{name}`, or its forms for the value `count`: 0, 1 and others. */
export type Text = string | { readonly zero?: string; readonly one: string; readonly many: string }

/** The texts of a catalog in any language. The English catalog defines the keys. */
export type Texts<Catalog> = Catalog extends string
  ? string
  : 'many' extends keyof Catalog
    ? Text
    : { readonly [Key in keyof Catalog]: Texts<Catalog[Key]> }

/** The texts of shell and pages in one language. Pages that are loaded later have their own catalogs. */
export type ShellTexts = Texts<typeof EN>

/** Puts values into a text; `count` chooses between `one` and `many`. */
export function fill(text: Text, values: Readonly<Record<string, string | number>>): string {
  const form = typeof text === 'string' ? text : formFor(text, values['count'])
  const filled = form.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  return filled.replaceAll(SPACE_IN_CHINESE, '')
}

/** Matches a space between Chinese characters. Catalogs have a space before a value, which Chinese needs only before Latin letters. */
const SPACE_IN_CHINESE = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu

function formFor(text: Exclude<Text, string>, count: string | number | undefined): string {
  if (count === 1) return text.one
  return count === 0 ? (text.zero ?? text.many) : text.many
}
