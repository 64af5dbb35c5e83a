import { languageOfTalk, type RuleBook } from '../extraction/rules/rule-book.ts'
import type { Memory } from '../memories/memory.ts'
import { splitSentences } from '../text/split-sentences.ts'

/**
 * The persona value that a fact has once its words were corrected, read by rules from the new words as if its subject said
 * them: “The user lives in Porto.” is read as “I live in Porto.”
 *
 * @returns `null` where the words tell no value of the fact's key: it leaves the sheet until one is given
 */
export async function rereadValue(
  rules: RuleBook,
  { key, subject }: Pick<Memory, 'key' | 'subject'>,
  text: string,
): Promise<string | null> {
  const reader = await rules.factsIn(languageOfTalk(text))
  const findings = splitSentences(inFirstPerson(text, subject)).flatMap((sentence) =>
    reader.read(sentence.text, 'they', null),
  )
  return findings.find((finding) => finding.key === key && finding.state !== 'ended')?.value ?? null
}

function inFirstPerson(text: string, subject: string): string {
  const name = subject.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return text
    .replace(new RegExp(`^(?:the user|user|${name})['’]s\\b`, 'i'), 'My')
    .replace(new RegExp(`^(?:the user|user|${name}|(?:he|she|they)(?=\\s))\\b`, 'i'), 'I')
    .replace(new RegExp(`^(?:用户|${name}|[他她])`), '我')
}
