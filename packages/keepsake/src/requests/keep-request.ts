import type { ForgetRequest, Segment } from '../extraction/extractor.ts'
import { candidateOf } from '../memories/candidate.ts'
import { memoryOf } from '../memories/make-memory.ts'
import { KEPT_REQUEST, tellsOfRequest } from '../memories/kept-request.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage, renderDay } from '../prompts/render-data.ts'
import { whoSpeaks } from '../turns/who-speaks.ts'
import { memoriesOf, originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { isSpoken } from './ask-meant.ts'

/** Lowest importance, so that it never ranks above statements. */
const IMPORTANCE = 1

const TELL: Readonly<Record<PromptLanguage, (day: string, who: string) => string>> = {
  en: (day, who) => `On ${day} ${who === 'user' ? 'the user' : who} asked the agent to forget something.`,
  zh: (day, who) => `${day}，${who === 'user' ? '用户' : who}要求助手忘掉一件事。`,
}

/**
 * Records that a request to forget was made, and on which day, without its content. It is based on the turn of the request, so both are
 * erased together. One record per day.
 */
export function keepRequest(unit: UnitOfWork, segment: Segment, request: ForgetRequest): void {
  const { engine, changes } = unit
  const asker = segment.turns.find(({ id }) => id === request.evidence.turn)
  if (engine.preset.keepsRequests !== true || asker === undefined || !isSpoken(segment, request)) return
  const { id: turn, session, at, timeZone, text: said } = asker
  const subject = whoSpeaks(asker)
  const text = TELL[promptLanguage([said])](renderDay(at, timeZone), subject)
  const isKept = [...memoriesOf(unit), ...changes.memories].some(
    (memory) => tellsOfRequest(memory) && memory.text === text && changes.read(memory.id)?.status === 'live',
  )
  if (isKept) return
  const signals = { arousal: null, surprise: null, importance: IMPORTANCE }
  const evidence = [{ turn, quote: null }]
  const told = candidateOf({ type: 'event', subject, text, evidence, validFrom: at, signals })
  const { sessionNumber, round } = segment
  const setting = { session, sessionNumber, round, learnedAt: at }
  changes.add(memoryOf({ ...told, label: 'user-stated' }, setting), originOf(engine, KEPT_REQUEST))
}
