import type { Memory } from '../memories/memory.ts'
import type { AskOptions } from '../models/ask-model.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { DatedText } from '../prompts/render-summary-sources.ts'
import type { Turn } from '../turns/turn.ts'
import type { CompressOptions } from './compressor.ts'

/** Session memories with their days, by the clock of those who spoke last: memories carry none of their own. */
export function datedTexts(sessions: readonly Memory[], turns: readonly Turn[]): DatedText[] {
  const timeZone = turns.at(-1)?.timeZone ?? null
  return sessions.map(({ text, validFrom }) => ({ text, at: validFrom, timeZone }))
}

export function askOptions(
  texts: readonly { readonly text: string }[],
  { abortSignal }: CompressOptions,
): AskOptions {
  return { language: promptLanguage(texts.map(({ text }) => text)), abortSignal }
}
