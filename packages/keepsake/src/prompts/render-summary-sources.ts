import type { PromptLanguage } from './prompt.ts'
import { quoted, quotedLines, renderTime, renderTurns } from './render-data.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Role } from '../turns/turn.ts'

/** A dated text: an earlier summary, a session memory, a memo. */
export interface DatedText {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Time zone of the day; UTC when absent. */
  readonly timeZone?: string | null
}

/** Whether the sources are earlier summaries. */
export function areSummaries(sources: readonly SummarySource[]): boolean {
  return sources.some((source) => source.evidence !== undefined)
}

/** Turns, or the summaries of a level below, numbered from 1 by their place. */
export function renderSummarySources(sources: readonly SummarySource[], language: PromptLanguage): string {
  return areSummaries(sources)
    ? renderDatedTexts(sources, 'summaries', language)
    : renderTurns(
        sources.map((source) => ({ ...source, timeZone: source.timeZone ?? null })),
        language,
      )
}

/**
 * Texts numbered from 1 with the day they tell of: `(1) 2026-03-05 Thu: "…"`.
 *
 * @param tag the fence, of our own choosing
 */
export function renderDatedTexts(
  texts: readonly DatedText[],
  tag: 'summaries' | 'sessions' | 'days' | 'memos',
  language: PromptLanguage,
): string {
  const lines = texts.map(({ text, at, timeZone }, index) => {
    const day = renderTime(at, timeZone ?? null, language).replace(/ \d\d:\d\d$/, '')
    return `(${index + 1}) ${day}: ${quoted(text)}`
  })
  return `<${tag}>\n${lines.join('\n')}\n</${tag}>`
}

export function renderBefore(before: string | null, tag: 'before' | 'portrait' | 'memory'): string {
  return before === null || before.trim() === '' ? '' : `<${tag}>\n${quotedLines(before)}\n</${tag}>\n\n`
}

/** Words to summarise: a whole turn, or the part of it that an earlier summary kept. */
export interface SummarySource {
  readonly turn: string
  /** As it stands in the turn. */
  readonly text: string
  readonly role: Role
  readonly speaker: string | null
  /** When it was said, milliseconds since 1970. */
  readonly at: number
  /** The speaker's time zone, where it is known: "yesterday" is counted in it. */
  readonly timeZone?: string | null
  /** For the text of an earlier summary: the turns it rests on. `turn` is then the first of them. */
  readonly evidence?: readonly Evidence[]
}
