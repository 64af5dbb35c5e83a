import { isMaskKept, keepMasked, LONGEST_TALK, WORTH_ASKING } from '@keepsake/text'
import type { ReadingApart } from './reading-apart.ts'

/**
 * Has a thread find what of long texts is not their speaker's own, where there is a thread, so that whoever asks a moment later need not: the
 * twenty thousand characters that are read of a turn at most take some 30 ms, in which nobody else would be answered.
 *
 * @param texts as {@link maskUnspoken} will be given them
 */
export async function maskAhead(
  { apart }: { readonly apart: { readonly texts: ReadingApart | null } },
  texts: readonly string[],
): Promise<void> {
  for (const whole of texts) {
    const text = whole.slice(0, LONGEST_TALK)
    if (text.length < WORTH_ASKING || isMaskKept(text)) continue
    const masked = (await apart.texts?.read({ kind: 'unspoken', text }, 0, text.length)) ?? null
    if (masked !== null) keepMasked(text, masked)
  }
}
