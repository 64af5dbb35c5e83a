// Renders the sources of summaries: turns, or earlier summaries.
import type { PromptLanguage } from './prompt.ts'
import { quoted, quotedLines, renderTime, renderTurns } from './render-data.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Role } from '../turns/turn.ts'

/** A text with its day: an earlier summary, a session memory or a memo. */
export interface DatedText {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Time zone of the day; UTC when absent. */
  readonly timeZone?: string | null
}

/** Checks whether the sources are earlier summaries. */
export function areSummaries(sources: readonly SummarySource[]): boolean {
  return sources.some((source) => source.evidence !== undefined)
}

/** Renders turns, or summaries of the level below, numbered from 1. */
export function renderSummarySources(sources: readonly SummarySource[], language: PromptLanguage): string {
  return areSummaries(sources)
    ? renderDatedTexts(sources, 'summaries', language)
    : renderTurns(
        sources.map((source) => ({ ...source, timeZone: source.timeZone ?? null })),
        language,
      )
}

/** Renders texts with numbers and days in a tag: `(1) 2026-03-05 Thu: "…"`. */
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

/** Renders a preceding text between tags. Returns an empty text if there is none. */
export function renderBefore(before: string | null, tag: 'before' | 'portrait' | 'memory'): string {
  return before === null || before.trim() === '' ? '' : `<${tag}>\n${quotedLines(before)}\n</${tag}>\n\n`
}

/** A source of a summary: a turn, the part of a turn that an earlier summary quotes, or an earlier summary. */
export interface SummarySource {
  readonly turn: string
  /** The words of the turn, or the text of the summary. */
  readonly text: string
  readonly role: Role
  readonly speaker: string | null
  /** Time of the turn in milliseconds since 1970. */
  readonly at: number
  /** The speaker's time zone, by which words such as “yesterday” are dated; `null` if it is unknown. */
  readonly timeZone?: string | null
  /** The evidence of an earlier summary, whose first turn is `turn`. Absent for turns. */
  readonly evidence?: readonly Evidence[]
}
