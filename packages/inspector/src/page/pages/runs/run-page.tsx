import type { ReactNode } from 'react'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { Bar } from '../../parts/bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { LOST_STEPS, type RunLog } from './log.ts'
import { useOpenedRuns, type OpenedRun } from './opened-runs.ts'
import type { Report } from './report.ts'
import { RUNS } from './words.ts'
import { WrongAnswers } from './wrong-answers.tsx'

/** One run: what made it, and its wrong answers by the step that lost them. */
export function RunPage({ label }: { readonly label: string }): ReactNode {
  const told = usePageWords(RUNS)
  const runs = useOpenedRuns()
  const run = runs.find((one) => one.label === label)
  const back = <Link to={{ page: 'runs' }}>{told.back}</Link>
  if (run === undefined)
    return (
      <Page title={told.notOpen} lead={label}>
        <p>{told.notOpenTold}</p>
        <p>{back}</p>
      </Page>
    )
  const { report, log } = run
  return (
    <Page
      title={label}
      lead={report === null ? told.logOnly : `${report.benchmark} · ${report.dataset}`}
      actions={back}
    >
      {report !== null && <Facts report={report} />}
      {log === null ? (
        <Empty title={told.noLog}>
          <p>{told.noLogTold}</p>
        </Empty>
      ) : (
        <Answers run={run} log={log} others={runs.filter((one) => one !== run)} />
      )}
    </Page>
  )
}

function Facts({ report }: { readonly report: Report }): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  const { command, startedAt, reader, judge, leftOut, remarks } = report
  const out = Object.entries(leftOut).filter(([, count]) => count > 0)
  return (
    <dl className="runs-facts">
      <dt>{told.madeBy}</dt>
      <dd className="code">{command}</dd>
      {!Number.isNaN(Date.parse(startedAt)) && (
        <>
          <dt>{told.made}</dt>
          <dd>
            <Moment at={startedAt} as="moment" />
          </dd>
        </>
      )}
      <dt>{told.conditions.reader}</dt>
      <dd>{reader ?? '–'}</dd>
      <dt>{told.conditions.judge}</dt>
      <dd>{judge ?? '–'}</dd>
      {out.length > 0 && (
        <>
          <dt>{told.leftOut}</dt>
          <dd>{out.map(([reason, count]) => `${reason}: ${format.number(count)}`).join(', ')}</dd>
        </>
      )}
      {remarks.length > 0 && (
        <>
          <dt>{told.remarks}</dt>
          <dd>{remarks.join(' ')}</dd>
        </>
      )}
    </dl>
  )
}

interface AnswersProps {
  readonly run: OpenedRun
  readonly log: RunLog
  readonly others: readonly OpenedRun[]
}

function Answers({ run, log, others }: AnswersProps): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  if (log.asked === 0)
    return (
      <Empty title={told.noneAsked}>
        <p>{told.noneAskedTold}</p>
      </Empty>
    )
  if (log.wrongAnswers.length === 0) return <Empty title={told.noneWrong(format.number(log.asked))} />
  return (
    <>
      <LostSteps label={run.label} log={log} />
      <WrongAnswers log={log} others={others} />
    </>
  )
}

function LostSteps({ label, log }: { readonly label: string; readonly log: RunLog }): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  const [settings] = useSettings()
  const { wrongAnswers, asked, unread } = log
  const rows = [...LOST_STEPS, 'untold' as const].map((step) => ({
    step,
    count: wrongAnswers.filter(({ lost }) => (lost ?? 'untold') === step).length,
  }))
  return (
    <section className="section">
      <h2>{told.lostAt}</h2>
      <p>{told.lostTold(format.number(wrongAnswers.length), format.number(asked))}</p>
      {unread > 0 && <p className="problem">{told.unread(format.number(unread))}</p>}
      <ul className="runs-steps">
        {rows
          .filter(({ step, count }) => step !== 'untold' || count > 0)
          .map(({ step, count }) => (
            <li key={step}>
              {count === 0 ? (
                <span className="quiet">{step === 'untold' ? told.untold : told.steps[step]}</span>
              ) : (
                <Link to={{ page: 'runs', run: label }} settings={{ ...settings, lost: step }}>
                  {step === 'untold' ? told.untold : told.steps[step]}
                </Link>
              )}
              <Bar share={count / wrongAnswers.length} />
              <span className="figures">{format.number(count)}</span>
              {step !== 'untold' && <p className="small quiet">{told.stepsTold[step]}</p>}
            </li>
          ))}
      </ul>
    </section>
  )
}
