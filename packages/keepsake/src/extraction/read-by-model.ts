import { requireModel } from '../models/ask-model.ts'
import type { Memory } from '../memories/memory.ts'
import { promptVersion, type Prompt, type PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { Turn } from '../turns/turn.ts'
import type { Extraction, Extractor, Segment } from './extractor.ts'

export interface ShownSegment extends Segment {
  readonly language: PromptLanguage
  readonly related: readonly Memory[]
  /** Number of memories not shown. */
  readonly leftOut: number
}

interface ReaderOptions<Input, Answer> {
  readonly id: string
  readonly related?: Extractor['related']
  readonly tellsMatters?: boolean
  /** Whether to call the model for these turns; by default, if the user or agent spoke. */
  readonly isAsked?: (turns: readonly Turn[]) => boolean
  readonly inputOf: (shown: ShownSegment) => Input
  readonly read: (answer: Answer, shown: ShownSegment) => Partial<Extraction> | Promise<Partial<Extraction>>
}

function isTalk(turns: readonly Turn[]): boolean {
  return turns.some((turn) => turn.role !== 'other' && turn.text.trim() !== '')
}

/** Makes an extractor that asks one prompt per segment. */
export function readerAsking<Input, Answer>(
  prompt: Prompt<Input, Answer>,
  { id, related, tellsMatters = false, isAsked = isTalk, inputOf, read }: ReaderOptions<Input, Answer>,
): Extractor {
  return {
    id,
    prompt: promptVersion(prompt),
    ...(related === undefined ? {} : { related }),
    tellsMatters,
    extract: async (segment, options) => {
      const ask = requireModel(options?.ask, id)
      const nothing: Extraction = { candidates: [], requests: [] }
      if (!isAsked(segment.turns)) return nothing
      const language = promptLanguage(segment.turns.map((turn) => turn.text))
      const shown = { ...segment, language, related: options?.related ?? [], leftOut: options?.leftOut ?? 0 }
      const asking = { language, abortSignal: options?.abortSignal }
      const answer = await ask.ask(prompt, inputOf(shown), asking)
      return { ...nothing, ...(await read(answer, shown)) }
    },
  }
}
