// Makes a summariser with scripted answers for tests.
import type { SummarySource } from '../prompts/render-summary-sources.ts'
import type { SummariseOptions, Summariser, Summary } from './summariser.ts'

/** A recorded call of a summariser. */
export interface SummaryCall extends SummariseOptions {
  readonly sources: readonly SummarySource[]
}

export interface ScriptedSummariser extends Summariser {
  /** All calls so far. */
  readonly asked: readonly SummaryCall[]
}

/** A scripted answer: a text, `unsafe`, a summary, or `null`. */
type ScriptedAnswer = string | Summary | null

/** Makes a summariser with scripted answers. A scripted text has all sources as evidence. */
export function scriptedSummariser(
  answerCall: (count: number, call: SummaryCall) => ScriptedAnswer | Promise<ScriptedAnswer>,
  traits: Pick<Summariser, 'prompt' | 'reads'> = {},
): ScriptedSummariser {
  const asked: SummaryCall[] = []
  return {
    id: 'test/summariser',
    ...traits,
    asked,
    summarise: async (sources, options) => {
      const call = { ...options, sources }
      asked.push(call)
      const answer = await answerCall(asked.length, call)
      if (typeof answer !== 'string' || answer === 'unsafe') return answer
      return { text: answer, evidence: sources.map(({ turn }) => ({ turn, quote: null })) }
    },
  }
}
