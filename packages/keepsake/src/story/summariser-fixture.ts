import type { SummarySource } from '../prompts/render-summary-sources.ts'
import type { SummariseOptions, Summariser, Summary } from './summariser.ts'

/** A recorded request to a summariser. */
export interface AskedSummary extends SummariseOptions {
  readonly sources: readonly SummarySource[]
}

export interface ScriptedSummariser extends Summariser {
  readonly asked: readonly AskedSummary[]
}

/** A text to be told, `unsafe`, or a whole summary. */
type Told = string | Summary | null

/** Tells what it is told to tell, for tests: a text rests on the whole of all its sources. */
export function scriptedSummariser(
  tell: (call: number, asked: AskedSummary) => Told | Promise<Told>,
  traits: Pick<Summariser, 'prompt' | 'reads'> = {},
): ScriptedSummariser {
  const asked: AskedSummary[] = []
  return {
    id: 'test/summariser',
    ...traits,
    asked,
    summarise: async (sources, options) => {
      const asking = { ...options, sources }
      asked.push(asking)
      const told = await tell(asked.length, asking)
      if (typeof told !== 'string') return told
      if (told === 'unsafe') return told
      return { text: told, evidence: sources.map(({ turn }) => ({ turn, quote: null })) }
    },
  }
}
