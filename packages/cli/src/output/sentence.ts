/** A message as a sentence on one line, so that another can follow: those of other libraries end as they like. */
export function sentence(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim()
  return /[.!?。！？]["”'’)]?$/u.test(line) ? line : `${line}.`
}
