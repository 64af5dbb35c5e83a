import { languageOfTalk, splitSentences, type RuleBook } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'

/**
 * Extracts the persona value of a fact whose text was corrected. Rules read the new text as if its subject had said it: “The user lives in
 * Porto.” is read as “I live in Porto.”
 *
 * @returns the former value when the text still contains it; `null` when none is found, and the fact leaves the sheet
 */
export async function rereadValue(
  rules: RuleBook,
  { key, value, subject }: Pick<Memory, 'key' | 'value' | 'subject'>,
  text: string,
): Promise<string | null> {
  const reader = await rules.factsIn(languageOfTalk(text))
  const findings = splitSentences(inFirstPerson(text, subject)).flatMap((sentence) =>
    reader.read(sentence.text, 'they', null),
  )
  const read = findings.find((finding) => finding.key === key && finding.state !== 'ended')
  const isStillSaid = value !== null && text.toLowerCase().includes(value.toLowerCase())
  return read?.value ?? (isStillSaid ? value : null)
}

/** A name in the place of whom the fact is about: “Maya lives in Leeds.” */
const NAMED = /^(?!(?:My|Our|The|Their|His|Her|I)\b)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(['’]s)?(?=\s+\p{Ll})/u

function inFirstPerson(text: string, subject: string): string {
  const name = subject.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return text
    .replace(new RegExp(`^(?:the user|user|${name})['’]s\\b`, 'i'), 'My')
    .replace(new RegExp(`^(?:the user|user|${name}|(?:he|she|they)(?=\\s))\\b`, 'i'), 'I')
    .replace(NAMED, (_, own: string | undefined) => (own === undefined ? 'I' : 'My'))
    .replace(new RegExp(`^(?:用户|${name}|[他她])`), '我')
}
