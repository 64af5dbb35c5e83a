const YES =
  /^\W*(?:yes|yeah|yep|correct|true|indeed)\b|^[\s“"]*(?:是的|是[，。,.\s]|对[，。,.\s的]|有的|会的|嗯|是$|对$)/iu
const NO =
  /^\W*(?:no|nope|false|incorrect)(?=[\s]*(?:[,.;:!—-]|$))|^[\s“"]*(?:不是|没有|不会|不对|否|不[，。,.\s]|没[，。,.\s]|不$|没$)/iu

/** Reads a yes (`true`) or no (`false`) at the beginning of a text. `null`: the text begins with neither. */
export function readYesNo(text: string): boolean | null {
  if (YES.test(text)) return true
  return NO.test(text) ? false : null
}
