import type { Memory, MemoryForm } from 'keepsake'
import type { Preset } from 'keepsake/preset'
import type { SystemMemoryItem } from './memory-system.ts'

/** The lowest level of stories that contain statements. Lower ones are only sections of the conversation. */
const MIN_STORY_LEVEL = 2

export interface CountedForms {
  /** The forms listed by `memories()`. */
  readonly standing: readonly MemoryForm[]
  /** The forms of a dialogue's memories, listed by `dialogueMemories()`. */
  readonly dialogue: readonly MemoryForm[]
}

/**
 * Decides which memories are measured, by one rule for all presets. A form is measured if the preset recalls it or always shows it before a
 * reply. Utterances are not measured if the preset also recalls facts, because facts are extracted from them. A portrait is rewritten as a
 * whole. So if the preset makes session memories, these are the memories of a dialogue.
 *
 * | preset | standing | of a dialogue |
 * |---|---|---|
 * | keepsake | facts | facts |
 * | moom | facts (the sheet), the story from level 2 | the same |
 * | mmm | facts | facts |
 * | comedy; resum without a model | the portrait | session memories |
 * | resum with a model | the portrait | sentences new in the portrait |
 * | memochat | memos | memos |
 * | lufy | utterance pairs, session summaries, the key summary | utterance pairs, session summaries |
 * | memory-bank | utterance pairs, summaries, with a model the portrait | utterance pairs, summaries |
 * | naive-rag, first-in-first-out | utterance pairs | the same |
 *
 * Facts that lufy and memory-bank keep without ever recalling them are not counted.
 */
export function countedForms(preset: Pick<Preset, 'recalls' | 'always' | 'branches'>): CountedForms {
  const shownForms = [...new Set([...preset.recalls, ...(preset.always ?? [])])]
  const standing = shownForms.includes('fact')
    ? shownForms.filter((form) => form !== 'utterance')
    : shownForms
  const makesSummaries = preset.branches.some((branch) => branch.kind === 'summaries')
  if (!standing.includes('portrait') || !makesSummaries) return { standing, dialogue: standing }
  const others = standing.filter((form) => form !== 'portrait' && form !== 'summary')
  return { standing, dialogue: [...others, 'summary'] }
}

/** Reports whether a current memory is measured. Only the current version of a portrait is. */
export function isCounted(memory: Memory, forms: readonly MemoryForm[]): boolean {
  if (!forms.includes(memory.form)) return false
  if (memory.form === 'story') return memory.level >= MIN_STORY_LEVEL
  return memory.form !== 'portrait' || memory.validUntil === null
}

/** A sentence or line of a text, with its position. */
export interface Statement {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The rules for English sentence ends cover Chinese as well. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })
const BULLET = /^[\s\-*•·]+/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Splits a text into sentences and lines, without bullets and surrounding spaces. */
export function splitStatements(text: string): Statement[] {
  const statements: Statement[] = []
  for (const line of text.matchAll(/[^\n]+/g)) {
    for (const { segment, index } of SENTENCES.segment(line[0])) {
      const statement = segment.replace(BULLET, '').trimEnd()
      if (!LETTER_OR_DIGIT.test(statement)) continue
      const start = line.index + index + segment.indexOf(statement)
      statements.push({ text: statement, start, end: start + statement.length })
    }
  }
  return statements
}

/** Forms whose text contains several statements. */
const MULTI_STATEMENT_FORMS: readonly MemoryForm[] = ['summary', 'story', 'portrait']
/** Separates a memory's id from the number of its sentence. */
const INDEX_MARK = '#'

/** Converts a memory to comparable items. Facts and utterances are one item, other forms one per sentence (`id#2`). Facts that have ended say so. */
export function itemsOf(memory: Memory): SystemMemoryItem[] {
  const turns = memory.evidence.map(({ turn }) => turn)
  if (!MULTI_STATEMENT_FORMS.includes(memory.form))
    return [{ id: memory.id, text: memoryText(memory), turns, ...saidAt(memory) }]
  return splitStatements(memory.text).map(({ text }, index) => ({
    id: `${memory.id}${INDEX_MARK}${index + 1}`,
    text,
    turns,
  }))
}

/** Returns the time of an utterance. Absent for statements. */
export function saidAt({ form, validFrom }: Pick<Memory, 'form' | 'validFrom'>): { saidAt?: number } {
  return form === 'utterance' ? { saidAt: validFrom } : {}
}

/** Returns the text of a memory, with a remark if it has ended. The end is mostly the day of its mention, so the remark does not say “until”. */
export function memoryText(memory: Pick<Memory, 'form' | 'text' | 'validUntil'>): string {
  if (memory.form !== 'fact' || memory.validUntil === null) return memory.text
  const day = new Date(memory.validUntil).toISOString().slice(0, 10)
  return /\p{Script=Han}/u.test(memory.text)
    ? `${memory.text}（截至${day}已不是最新情况）`
    : `${memory.text} (no longer current as of ${day})`
}
