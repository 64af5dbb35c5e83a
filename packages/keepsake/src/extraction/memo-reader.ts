import { requireModel } from '../models/require-model.ts'
import { promptVersion, type PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { coversTurns, topicMemosPrompt, type TopicMemo } from '../prompts/topic-memos.ts'
import type { Turn } from '../turns/turn.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { Extractor } from './extractor.ts'

/**
 * MemoChat's memos: the segment is cut into topics, each kept as a summary that rests on all turns of the topic.
 * Needs a language model.
 */
export function memoReader(): Extractor {
  const id = promptVersion(topicMemosPrompt)
  return {
    id,
    prompt: id,
    extract: async ({ turns }, options) => {
      const model = requireModel(options?.ask, id)
      if (turns.length === 0) return { candidates: [], requests: [] }
      const language = promptLanguage(turns.map((turn) => turn.text))
      const abortSignal = options?.abortSignal
      const asking = abortSignal === undefined ? { language } : { language, abortSignal }
      const { memos } = await model.ask(topicMemosPrompt, { turns }, asking)
      const whole = memos.filter(
        (memo) => memo.summary.trim() !== '' && memo.topic.trim() !== '' && coversTurns(memo, turns.length),
      )
      return { candidates: whole.map((memo) => memoCandidate(memo, turns, language)), requests: [] }
    },
  }
}

function memoCandidate(memo: TopicMemo, turns: readonly Turn[], language: PromptLanguage): Candidate {
  const covered = turns.slice(memo.first - 1, memo.last)
  const colon = language === 'zh' ? '：' : ': '
  return candidateOf({
    form: 'summary',
    text: `${memo.topic.trim()}${colon}${memo.summary.trim()}`,
    evidence: covered.map((turn) => ({ turn: turn.id, quote: null })),
    validFrom: Math.min(...covered.map((turn) => turn.at)),
  })
}
