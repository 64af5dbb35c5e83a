import { interpretChineseClause } from './chinese/interpret-clause.ts'
import { statingClauses, withSubjectOf } from './chinese/split-clauses.ts'
import { readForgetRequestZh } from './explicit-requests.ts'
import type { SentenceReader, SentenceReading } from './read-turn.ts'

const CORRECTION = /其实|事实上|纠正一下|更正|说错了|我的意思是|不是.+是/

/** Reads Chinese sentences by the frames of first-person statements. Loads nothing. */
export function chineseReader(): SentenceReader {
  return { language: 'zh', unnamed: { user: '用户', agent: '角色' }, read: readSentence, answerInFull }
}

function readSentence(given: string, who: string, before: string | null = null): SentenceReading {
  const forget = readForgetRequestZh(given)
  if (forget !== null) return { findings: [], forget, isCorrection: false }
  const sentence = withSubjectOf(given, before)
  if (!sentence.includes('我')) return { findings: [], forget: null, isCorrection: false }
  const findings = statingClauses(sentence).flatMap((clause) => interpretChineseClause(clause, who))
  return { findings, forget: null, isCorrection: CORRECTION.test(sentence) }
}

/** 所以你住在里昂吗？ → 我住在里昂。 */
function answerInFull(question: string): string | null {
  const plain = question.trim().replace(/^(?:那么|那|所以|哦|原来|这么说|看来|啊|嗯)+[，,\s]*/, '')
  if (
    !/[?？]\s*$/.test(question) ||
    /还是|什么|怎么|谁|哪|为什么|多少|几|能不能|可以|要不要|会不会/.test(plain)
  )
    return null
  const statement = plain.replace(/(?:[，,]?(?:对吗|对吧|是吗|是吧|对不对|是不是|吗|吧|么))?[?？\s]+$/, '')
  return /^(?:你|您)/.test(statement) ? statement.replace(/[你您]/g, '我') : null
}
