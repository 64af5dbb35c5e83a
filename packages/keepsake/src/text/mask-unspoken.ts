/**
 * Stretches that are not the speaker's own plain statement: *actions* of role-play, quoted speech and titles, code,
 * links, quoted lines of a mail. Blanked out by spaces, so that places in the text stay.
 *
 * A joke or a lie cannot be told by rule; they pass as statements.
 */
const UNSPOKEN: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /`[^`\n]*`/g,
  /^[ \t]*>.*$/gm,
  /https?:\/\/\S+/g,
  /(?<![\w*])\*[^*\n]{1,400}\*(?!\*)/g,
  /\*\*[^*\n]{1,400}\*\*/g,
  /(?<![\p{L}\p{N}_])_[^_\n]{1,400}_(?![\p{L}\p{N}_])/gu,
  /["“„][^"”“\n]{1,600}["”“]/g,
  /(?<![\p{L}\p{N}])[‘'](?=\S)[^’'\n]{2,600}\s[^’'\n]{1,600}[’'](?![\p{L}\p{N}])/gu,
  /「[^」]{1,600}」|『[^』]{1,600}』|【[^】]{1,600}】/g,
  /（[^）\n]{1,400}）|\([^)\n]{1,400}\)/g,
]

/** A title in quotation marks: capitalised words with small ones between, no stop inside, not after a verb of saying. */
const TITLE =
  /(?<!(?:say|said|says|ask|asked|told|tell|tells|repl(?:y|ied)|shout|shouted|like|went|answer|answered)[,:]?\s*)["“](\p{Lu}[\p{L}\p{N}'’&-]*(?:\s(?:\p{Lu}[\p{L}\p{N}'’&-]*|\p{N}+|of|the|and|a|an|in|on|to|for|with|at|de|la))*)["”]/gu

/** @returns a text of the same length */
export function maskUnspoken(text: string): string {
  const titled = text.replace(TITLE, ' $1 ')
  return UNSPOKEN.reduce(
    (masked, pattern) => masked.replace(pattern, (stretch) => stretch.replace(/[^\n]/g, ' ')),
    titled,
  )
}
