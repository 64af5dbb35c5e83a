// Makes the extractor of memos in the paper MemoChat.
import { candidateOf, promptVersion, readerAsking } from 'keepsake/preset'
import type { PromptLanguage, Candidate, Extractor } from 'keepsake/preset'
import { coversTurns, topicMemosPrompt, type TopicMemo } from './topic-memos.ts'
import type { Turn } from 'keepsake'

/** Makes an extractor of memos: a summary for each topic of a segment, with its turns. It needs a language model. */
export function memoReader(): Extractor {
  return readerAsking(topicMemosPrompt, {
    id: promptVersion(topicMemosPrompt),
    isAsked: (turns) => turns.length > 0,
    inputOf: ({ turns }) => ({ turns }),
    read: ({ memos }, { turns, language }) => ({
      candidates: memos
        .filter(({ summary, topic }) => summary.trim() !== '' && topic.trim() !== '')
        .filter((memo) => coversTurns(memo, turns.length))
        .map((memo) => memoCandidate(memo, turns, language)),
    }),
  })
}

function memoCandidate(memo: TopicMemo, turns: readonly Turn[], language: PromptLanguage): Candidate {
  const coveredTurns = turns.slice(memo.first - 1, memo.last)
  const colon = language === 'zh' ? '：' : ': '
  return candidateOf({
    form: 'summary',
    text: `${memo.topic.trim()}${colon}${memo.summary.trim()}`,
    evidence: coveredTurns.map((turn) => ({ turn: turn.id, quote: null })),
    validFrom: Math.min(...coveredTurns.map((turn) => turn.at)),
  })
}
