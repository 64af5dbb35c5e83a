import type { ScopeStats } from '@keepsake/client'
import type { ReactNode } from 'react'
import { Section } from '../../parts/page.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'

type ModelUse = ScopeStats['models'][number]

const EN = {
  title: 'Model usage',
  none: 'No model has been called for this user.',
  tasks: {
    extraction: 'extraction',
    story: 'story',
    summary: 'summaries',
    portrait: 'portrait',
    importance: 'importance',
    recall: 'recall',
    reply: 'replies',
    other: 'other',
  },
  calls: (count: number, written: string) => `${written} call${count === 1 ? '' : 's'}`,
  tokens: (input: string, output: string) => `${input} tokens in, ${output} out`,
  failed: (count: string) => `${count} failed`,
}

const ZH: typeof EN = {
  title: '模型用量',
  none: '没有为此用户调用过模型。',
  tasks: {
    extraction: '提取',
    story: '故事',
    summary: '摘要',
    portrait: '画像',
    importance: '重要性',
    recall: '检索',
    reply: '回复',
    other: '其他',
  },
  calls: (_, written) => `调用 ${written} 次`,
  tokens: (input, output) => `输入 ${input} 个词元，输出 ${output} 个词元`,
  failed: (count) => `${count} 次失败`,
}

const COST = { en: EN, zh: ZH }

/** Calls of language models for a user, by task and in total. */
export function Cost({ models }: { readonly models: readonly ModelUse[] }): ReactNode {
  const labels = usePageWords(COST)
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
  const { format } = useWords()
  const labels = usePageWords(COST)
  const sum = (of: 'inputTokens' | 'outputTokens' | 'failed'): string =>
    format.number(uses.reduce((all, one) => all + one[of], 0))
  return (
    <div>
      <h3>{model}</h3>
      <dl className="counts">
        {uses.map(({ task, calls }) => (
          <div key={task}>
            <dt>{labels.tasks[task ?? 'other']}</dt>
            <dd>{labels.calls(calls, format.number(calls))}</dd>
          </div>
        ))}
      </dl>
      <p className="small quiet figures">{labels.tokens(sum('inputTokens'), sum('outputTokens'))}</p>
      {uses.some(({ failed }) => failed > 0) && <p className="problem">{labels.failed(sum('failed'))}</p>}
    </div>
  )
}
