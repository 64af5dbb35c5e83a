import { quotedLines, renderTime, type PromptLanguage } from 'keepsake/parts'
import { fence, type Shown } from '../../prompts/fence.ts'
import type { ReadingInput } from '../reader.ts'

const NOW = { en: 'now: ', zh: '现在：' } as const

/**
 * What a reader reads: the context as the system composed it, or the memories where it composed none; when it is
 * asked; and what is asked.
 */
export function showReading(input: ReadingInput, language: PromptLanguage, options: Shown = {}): string {
  const { context, memories, askedAt, question } = input
  const read =
    context.trim() === '' ? fence({ memories }) : `<memories>\n${quotedLines(context)}\n</memories>`
  const now = `${NOW[language]}${renderTime(askedAt, null, language)}`
  return [read, now, fence({ question, ...options })].join('\n')
}
