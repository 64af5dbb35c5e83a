import { composePortrait, type PromptLanguage } from 'keepsake/preset'
import { sessionMemorySections } from '@keepsake/papers'

const SESSION_PARTS = ['events', 'user', 'agent'] as const
const PORTRAIT_PARTS = ['user', 'relationship', 'events'] as const
type SessionPart = (typeof SESSION_PARTS)[number]
type PortraitPart = (typeof PORTRAIT_PARTS)[number]

const LANGUAGES: readonly PromptLanguage[] = ['en', 'zh']
/** The text of a part that is composed alone, so that the words before it are the part's label. */
const PLACEHOLDER = '…'

/** Reads the parts of a session memory by the engine's labels. Returns `null` for a text of another form. */
export function readSessionMemory(text: string): Record<SessionPart, string> | null {
  return readParts(text, SESSION_PARTS, (part, language) => {
    const empty = { events: [], user: [], agent: [] }
    const sections = sessionMemorySections(
      { ...empty, [part]: [{ text: PLACEHOLDER, turns: [1] }] },
      language,
    )
    return sections.find(({ sentences }) => sentences.length > 0)?.label ?? ''
  })
}

/** Reads the parts of a portrait by the engine's labels. Returns `null` for a text of another form. */
export function readPortrait(text: string): Record<PortraitPart, string> | null {
  return readParts(text, PORTRAIT_PARTS, (part, language) => {
    const empty = { user: '', relationship: '', events: '' }
    return (composePortrait({ ...empty, [part]: PLACEHOLDER }, language) ?? '').replace(PLACEHOLDER, '')
  })
}

/** Splits labelled lines in the first language whose labels begin all lines. */
function readParts<Part extends string>(
  text: string,
  parts: readonly Part[],
  labelOf: (part: Part, language: PromptLanguage) => string,
): Record<Part, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const language of LANGUAGES) {
    const labels = parts.map((part) => [part, labelOf(part, language)] as const)
    const texts = Object.fromEntries(parts.map((part) => [part, ''])) as Record<Part, string>
    const isRead = lines.every((line) => {
      const [part, label] = labels.find(([, start]) => start !== '' && line.startsWith(start)) ?? []
      if (part === undefined || label === undefined) return false
      texts[part] = line.slice(label.length).trim()
      return true
    })
    if (lines.length > 0 && isRead) return texts
  }
  return null
}
