/** A clause of a Chinese sentence, with how it ends. */
export interface ChineseClause {
  readonly text: string
  readonly mark: string
}

/** Splits at commas, semicolons and stops. */
export function splitClauses(sentence: string): ChineseClause[] {
  const clauses: ChineseClause[] = []
  for (const match of sentence.matchAll(/([^，,；;。.！!？?：:～~…\n]+)([，,；;。.！!？?：:～~…\n]*)/g)) {
    const text = match[1]?.trim() ?? ''
    if (text !== '') clauses.push({ text, mark: match[2] ?? '' })
  }
  return clauses
}

const UNREAL =
  /如果|要是|假如|假设|倘若|若是|可能|也许|大概|或许|好像|应该|会不会|是不是|能不能|要不要|想象|要不|万一|差点|似乎|仿佛|恐怕|说不定|是否|据说|假装|开玩笑|的话$|除非|即使|哪怕|就算/
const ASKS = /[?？]|[吗么嘛呢]$|什么|怎么|怎样|如何|谁|哪|为何|为什么|多少|几[个点岁]|吧$/
const TAG_QUESTION = /^(?:对吗|对吧|是吗|是吧|好吗|行吗|对不对|是不是|好不好|可以吗)$/
const REPORTED = /(?:说|问|告诉我?|回答|写道|喊|觉得|认为)$/

/**
 * Clauses that state something of the first person: no question, no hypothesis, nothing reported or said to the
 * listener.
 */
export function statingClauses(sentence: string): string[] {
  const clauses = splitClauses(sentence)
  if (clauses.some((clause) => TAG_QUESTION.test(clause.text))) return []
  const isHypothesis = clauses.findIndex(
    (clause) => UNREAL.test(clause.text) && !/^(?:可能|也许|大概|应该)/.test(clause.text),
  )
  return clauses.flatMap((clause, at) => {
    const before = clauses[at - 1]
    const isAsked = ASKS.test(clause.text + clause.mark)
    const isReported =
      before !== undefined &&
      (REPORTED.test(before.text) || before.mark.startsWith('：') || before.mark.startsWith(':'))
    const isSupposed = UNREAL.test(clause.text) || (isHypothesis >= 0 && at > isHypothesis)
    if (isAsked || isReported || isSupposed || /[你您妳]/.test(clause.text)) return []
    const after = clauses[at + 1]
    if (
      clause.mark.startsWith('，') &&
      after !== undefined &&
      /一[个位家种座条只部][^的]*$/.test(clause.text) &&
      OPEN_MODIFIER.test(after.text)
    )
      return []
    const goesOn =
      SUBJECT_KEPT.test(clause.text) &&
      clauses
        .slice(0, at)
        .findLast((one) => !SUBJECT_KEPT.test(one.text))
        ?.text.startsWith('我') === true
    return [goesOn ? `我${clause.text}` : clause.text]
  })
}

/** 一个风景优美，空气清新的地方: the comma stands inside what describes a noun that comes later. */
const OPEN_MODIFIER = /^[^我你他她它]{2,8}的[^我你他她它]{1,6}$/

/** 我叫小明，今年25岁: a clause without a subject keeps that of the one before; only where it can be no one else's. */
const SUBJECT_KEPT =
  /^(?:今年[0-9０-９一二三四五六七八九十]+岁|现年|来自|是一[名个位]|毕业于|住在|现在住在|在.{2,12}(?:工作|上班|上学|读书)$)/
