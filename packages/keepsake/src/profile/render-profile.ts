import type { CountTokens } from '@keepsake/text'
import { costOf, dayOf, quote, type AheadLine } from '../read/context-lines.ts'
import type { Profile, ProfileLine } from '../persona/profile.ts'

/** What a profile may cost ahead of what was found. */
export const PROFILE_TOKENS = 150

/** A line of the profile as it stands in a context: quoted, and with its day where it quotes somebody. */
export function profileLine({ slot, text, validFrom, isQuoted }: ProfileLine): string {
  return isQuoted
    ? `- [profile, ${slot}; ${dayOf(validFrom, [])}] user: ${quote(text)}`
    : `- [profile, ${slot}] ${quote(text)}`
}

/** The same, with the words that it quotes. */
export function aheadLine(line: ProfileLine): AheadLine {
  return { text: profileLine(line), quoted: line.isQuoted ? line.text : null }
}

/** The lines that fit a budget, in their order; one that does not fit is left out whole. */
export function fitProfile(profile: Profile, tokens: number, countTokens: CountTokens): ProfileLine[] {
  let left = tokens
  return profile.lines.filter((line) => {
    const cost = costOf(profileLine(line), countTokens)
    if (cost > left) return false
    left -= cost
    return true
  })
}
