// Builds long patterns from named parts.
// V8 optimises no new pattern once executable code takes 16 MB, which the patterns of this package exceed.
// Then the flags `iu` may take fifteen times as long as `i`. Leave `u` out unless a class needs it.

/** An alternative: a pattern, whose flags are ignored, or the source of one. */
type Alternative = RegExp | string

/**
 * Joins alternatives to one pattern. Without alternatives it makes a pattern of a template, whose line breaks and indents are removed.
 *
 * @example
 * pattern('iu', /\be-?mails?\b/, /邮件|来信/) // equals /\be-?mails?\b|邮件|来信/iu
 * @example
 * pattern('iu')`
 *   \b(?:money|rent
 *     |salary)\b
 * ` // equals /\b(?:money|rent|salary)\b/iu
 */
export function pattern(flags: string): (lines: TemplateStringsArray) => RegExp
export function pattern(flags: string, ...alternatives: readonly Alternative[]): RegExp
export function pattern(flags: string, ...alternatives: readonly Alternative[]) {
  if (alternatives.length > 0) return new RegExp(either(...alternatives), flags)
  return ({ raw }: TemplateStringsArray) => new RegExp(raw.join('').replaceAll(/\s*\n\s*/g, ''), flags)
}

/**
 * Joins alternatives to the source of a group.
 *
 * @example
 * String.raw`\b(?:${either(/e-?mails?/, /letters?/)})\b` // matches “email” and “letters”
 */
export function either(...alternatives: readonly Alternative[]): string {
  return alternatives
    .map((alternative) => (typeof alternative === 'string' ? alternative : alternative.source))
    .join('|')
}

/**
 * Escapes a text, so that a pattern matches it literally.
 *
 * @example
 * new RegExp(escapePattern('C++')).test('I write C++') // true
 */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
