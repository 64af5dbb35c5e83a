/**
 * Makes a regular expression from a template with several lines. Line breaks and indents are removed.
 *
 * @example
 * joinPattern('iu')`
 *   \b(?:money|rent
 *     |salary)\b
 * ` // /\b(?:money|rent|salary)\b/iu
 */
export function joinPattern(flags: string): (lines: TemplateStringsArray) => RegExp {
  return ({ raw }) => new RegExp(raw.join('').replaceAll(/\s*\n\s*/g, ''), flags)
}
