import type { ScopeStats } from '@keepsake/client'
import type { ReactNode } from 'react'
import { Section } from '../../parts/page.tsx'
import COST from './cost-words.json' with { type: 'json' }
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'

type ModelUse = ScopeStats['models'][number]

/** Calls of language models for a user, by task and in total. */
export function Cost({ models }: { readonly models: readonly ModelUse[] }): ReactNode {
  const labels = usePageTexts(COST)
  return (
    <Section className="stack" title={labels.title}>
      {models.length === 0 ? (
        <p className="quiet">{labels.none}</p>
      ) : (
        [...Map.groupBy(models, ({ model }) => model)].map(([model, uses]) => (
          <ModelCost key={model} model={model} uses={uses} />
        ))
      )}
    </Section>
  )
}

function ModelCost({
  model,
  uses,
}: {
  readonly model: string
  readonly uses: readonly ModelUse[]
}): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(COST)
  const sum = (of: 'inputTokens' | 'outputTokens' | 'failed'): string =>
    format.number(uses.reduce((all, one) => all + one[of], 0))
  return (
    <div>
      <h3>{model}</h3>
      <dl className="counts">
        {uses.map(({ task, calls }) => (
          <div key={task}>
            <dt>{labels.tasks[task ?? 'other']}</dt>
            <dd>{fill(labels.calls, { count: calls, written: format.number(calls) })}</dd>
          </div>
        ))}
      </dl>
      <p className="small quiet figures">
        {fill(labels.tokens, { input: sum('inputTokens'), output: sum('outputTokens') })}
      </p>
      {uses.some(({ failed }) => failed > 0) && (
        <p className="problem">{fill(labels.failed, { count: sum('failed') })}</p>
      )}
    </div>
  )
}
