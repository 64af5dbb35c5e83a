import type { ReactNode } from 'react'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import type { Compared } from './compare-runs.ts'
import { Comparison } from './comparison.tsx'
import { OpenSection } from './open-section.tsx'
import { closeRun, useOpenedRuns, type OpenedRun } from './opened-runs.ts'
import { RunPage } from './run-page.tsx'
import { RUNS } from './words.ts'
import './runs.css'

/** What benchmarks measured; with a run's name, that run and its wrong answers. */
export default function RunsPage({ run }: { readonly run?: string }): ReactNode {
  return run === undefined ? <AllRuns /> : <RunPage label={run} />
}

function AllRuns(): ReactNode {
  const { words } = useWords()
  const told = usePageWords(RUNS)
  const runs = useOpenedRuns()
  const [settings, setSettings] = useSettings()
  const without = settings['without'] ?? []
  const show = (label: string, isShown: boolean): void => {
    const others = without.filter((one) => one !== label)
    setSettings({ ...settings, without: isShown ? others : [...others, label] })
  }
  const compared = runs.flatMap(({ label, report }): Compared[] =>
    report === null || without.includes(label) ? [] : [{ label, report }],
  )
  return (
    <Page title={words.runs.title} lead={told.lead}>
      <OpenSection />
      {runs.length === 0 ? (
        <Empty title={told.nothing}>
          <p>
            {told.nothingTold} <span className="code">keepsake bench run --json</span>
          </p>
        </Empty>
      ) : (
        <>
          <section className="section">
            <h2>{told.list}</h2>
            <ul className="runs-list">
              {runs.map((run) => (
                <RunRow key={run.label} run={run} isShown={!without.includes(run.label)} show={show} />
              ))}
            </ul>
          </section>
          <Comparison runs={compared} />
        </>
      )}
    </Page>
  )
}

interface RunRowProps {
  readonly run: OpenedRun
  readonly isShown: boolean
  readonly show: (label: string, isShown: boolean) => void
}

function RunRow({ run: { label, report, log }, isShown, show }: RunRowProps): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  return (
    <li>
      <input
        type="checkbox"
        aria-label={told.shown(label)}
        checked={report !== null && isShown}
        disabled={report === null}
        onChange={({ target }) => show(label, target.checked)}
      />
      <div>
        <Link to={{ page: 'runs', run: label }}>{label}</Link>
        <p className="small quiet row">
          {report === null ? (
            <span>{told.logOnly}</span>
          ) : (
            <>
              <span>{`${report.benchmark} · ${report.dataset}`}</span>
              {!Number.isNaN(Date.parse(report.startedAt)) && <Moment at={report.startedAt} />}
              {report.conversations !== null && (
                <span>{told.conversations(report.conversations, format.number(report.conversations))}</span>
              )}
              {report.failures > 0 && (
                <span className="problem">
                  {told.failures(report.failures, format.number(report.failures))}
                </span>
              )}
            </>
          )}
          {log !== null && (
            <span>{told.wrongAnswers(log.wrongAnswers.length, format.number(log.wrongAnswers.length))}</span>
          )}
        </p>
      </div>
      <Button tone="plain" aria-label={told.closeLabel(label)} onClick={() => closeRun(label)}>
        {told.close}
      </Button>
    </li>
  )
}
