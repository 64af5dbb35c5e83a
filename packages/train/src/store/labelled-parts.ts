import { composePortrait, type PromptLanguage } from 'keepsake/preset'
import { sessionMemorySections } from '@keepsake/papers'

const SESSION_PARTS = ['events', 'user', 'agent'] as const
const PORTRAIT_PARTS = ['user', 'relationship', 'events'] as const
type SessionPart = (typeof SESSION_PARTS)[number]
type PortraitPart = (typeof PORTRAIT_PARTS)[number]

const LANGUAGES: readonly PromptLanguage[] = ['en', 'zh']
/** Composed as the only text of a part, so that what stands before it is the part's label. */
const PLACEHOLDER = '…'

/** The parts of a session memory by the engine's labels; `null` for another form. */
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

/** The parts of a portrait by the engine's labels; `null` for another form. */
export function readPortrait(text: string): Record<PortraitPart, string> | null {
  return readParts(text, PORTRAIT_PARTS, (part, language) => {
    const empty = { user: '', relationship: '', events: '' }
    return (composePortrait({ ...empty, [part]: PLACEHOLDER }, language) ?? '').replace(PLACEHOLDER, '')
  })
}

/** Splits labelled lines in the language that all lines fit. */
function readParts<Part extends string>(
  text: string,
  parts: readonly Part[],
  labelOf: (part: Part, language: PromptLanguage) => string,
): Record<Part, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const language of LANGUAGES) {
    const labels = parts.map((part) => [part, labelOf(part, language)] as const)
    const found = lines.map((line) => labels.find(([, label]) => label !== '' && line.startsWith(label)))
    if (lines.length === 0 || found.includes(undefined)) continue
    const texts = found.flatMap((one, at) =>
      one === undefined ? [] : [[one[0], (lines[at] ?? '').slice(one[1].length).trim()] as const],
    )
    const empty = Object.fromEntries(parts.map((part) => [part, ''])) as Record<Part, string>
    return { ...empty, ...Object.fromEntries(texts) }
  }
  return null
}
