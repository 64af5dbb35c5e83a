import type { ReactNode } from 'react'
import { usePageWords, useWords } from '../../words/language.tsx'
import { LOST_STEPS, questionKey, type RunLog, type WrongAnswer } from './log.ts'
import type { OpenedRun } from './opened-runs.ts'
import { RUNS } from './words.ts'

const MOST_RETRIEVED = 20
/** A context may be a whole conversation. */
const MOST_CHARACTERS = 4_000

interface AnswerWayProps {
  readonly answer: WrongAnswer
  readonly log: RunLog
  readonly others: readonly OpenedRun[]
}

/** The way of one wrong answer, step by step to the one that lost it, and all that the log has of it. */
export function AnswerWay({ answer, log, others }: AnswerWayProps): ReactNode {
  const told = usePageWords(RUNS)
  const { conversation, question, category, reason, failure } = answer
  return (
    <div className="runs-answer">
      {answer.lost !== null && <Way lost={answer.lost} />}
      <dl>
        <dt>{told.reference}</dt>
        <dd className="said">{answer.reference === '' ? told.noReference : answer.reference}</dd>
        <dt>{told.answer}</dt>
        <dd className="said">{answer.answer === '' ? told.noAnswer : answer.answer}</dd>
        {reason !== '' && (
          <>
            <dt>{told.reason}</dt>
            <dd>{reason}</dd>
          </>
        )}
        {failure !== null && (
          <>
            <dt>{told.failure}</dt>
            <dd className="problem">{failure}</dd>
          </>
        )}
        <Evidence places={log.evidence.get(questionKey(conversation, question))} />
        <Retrieved answer={answer} />
        <Elsewhere id={answer.id} others={others} />
      </dl>
      <p className="small quiet">{told.where(conversation, question, category)}</p>
    </div>
  )
}

function Way({ lost }: { readonly lost: (typeof LOST_STEPS)[number] }): ReactNode {
  const told = usePageWords(RUNS)
  const lostAt = LOST_STEPS.indexOf(lost)
  return (
    <ol className="runs-way" aria-label={told.path}>
      {LOST_STEPS.map((step, at) => {
        const state = at < lostAt ? 'passed' : at === lostAt ? 'lost' : 'after'
        return (
          <li key={step} data-state={state} aria-current={state === 'lost' ? 'step' : undefined}>
            <span>{told.way[step]}</span>
            <span className="small">{told.states[state]}</span>
            {state === 'lost' && <span className="small">{told.stepsTold[step]}</span>}
          </li>
        )
      })}
    </ol>
  )
}

function Evidence({ places }: { readonly places: ReturnType<RunLog['evidence']['get']> }): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  if (places === undefined || places.length === 0) return null
  return (
    <>
      <dt>{told.evidence}</dt>
      <dd>
        <ul>
          {places.map(({ unit, place }) => (
            <li key={unit}>
              <span className="code">{unit}</span>{' '}
              <span className={place === null ? 'problem' : 'quiet'}>
                {place === null ? told.notFound : told.place(format.number(place))}
              </span>
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}

function Retrieved({ answer: { retrieved, context } }: { readonly answer: WrongAnswer }): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  const more = retrieved.length - MOST_RETRIEVED
  return (
    <>
      {(retrieved.length > 0 || context === '') && (
        <>
          <dt>{told.retrieved}</dt>
          <dd>
            {retrieved.length === 0 && told.noneRetrieved}
            <ol className="runs-retrieved">
              {retrieved.slice(0, MOST_RETRIEVED).map((memory, at) => (
                <li className="said" key={`${at} ${memory}`}>
                  {memory}
                </li>
              ))}
            </ol>
            {more > 0 && <p className="small quiet">{told.moreRetrieved(format.number(more))}</p>}
          </dd>
        </>
      )}
      {context !== '' && (
        <>
          <dt>{told.context}</dt>
          <dd>
            <div className="said runs-context" tabIndex={0} role="region" aria-label={told.context}>
              {context.length > MOST_CHARACTERS ? `${context.slice(0, MOST_CHARACTERS)} …` : context}
            </div>
          </dd>
        </>
      )}
    </>
  )
}

/** What other runs that are open made of the same question. */
function Elsewhere({
  id,
  others,
}: {
  readonly id: string
  readonly others: readonly OpenedRun[]
}): ReactNode {
  const told = usePageWords(RUNS)
  const endings = others.flatMap(({ label, log }) => {
    const ending = log?.endings.get(id)
    return ending === undefined ? [] : [{ label, ending }]
  })
  if (endings.length === 0) return null
  return (
    <>
      <dt>{told.others}</dt>
      <dd>
        <ul>
          {endings.map(({ label, ending }) => (
            <li key={label}>
              {label}: {ending === null ? told.right : told.verdicts[ending.verdict]}
              {ending !== null && ending.lost !== null && ` (${told.steps[ending.lost]})`}
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}
