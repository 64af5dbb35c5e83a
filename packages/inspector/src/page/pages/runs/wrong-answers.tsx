import { useState, type ReactNode } from 'react'
import { useSettings } from '../../address/use-address.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { LOST_STEPS, type RunLog, type WrongAnswer } from './log.ts'
import type { OpenedRun } from './opened-runs.ts'
import { RUNS } from './words.ts'
import { AnswerWay } from './answer-way.tsx'

const PAGE = 40

interface WrongAnswersProps {
  readonly log: RunLog
  readonly others: readonly OpenedRun[]
}

/** The wrong answers of a run, narrowed by step and words. */
export function WrongAnswers({ log, others }: WrongAnswersProps): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  const [{ lost: [step = ''] = [], words: [words = ''] = [] }] = useSettings()
  const [shown, setShown] = useState(PAGE)
  const matching = log.wrongAnswers.filter(
    (one) => (step === '' || (one.lost ?? 'untold') === step) && hasWords(one, words),
  )
  return (
    <section className="section">
      <h2>{told.wrong}</h2>
      <Narrowing step={step} words={words} />
      <p className="small quiet" role="status">
        {matching.length === 0 ? told.noneMatch : told.matching(format.number(matching.length))}
      </p>
      <ul className="runs-answers">
        {matching.slice(0, shown).map((answer) => (
          <li key={answer.id}>
            <Answer answer={answer} log={log} others={others} />
          </li>
        ))}
      </ul>
      {matching.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + PAGE)}>{told.more}</Button>
        </div>
      )}
    </section>
  )
}

function hasWords({ text, answer, reference, category }: WrongAnswer, words: string): boolean {
  return `${text}\n${answer}\n${reference}\n${category}`.toLowerCase().includes(words.trim().toLowerCase())
}

function Narrowing({ step, words }: { readonly step: string; readonly words: string }): ReactNode {
  const told = usePageWords(RUNS)
  const [settings, setSettings] = useSettings()
  return (
    <div className="row runs-choices" role="search">
      <label className="field">
        <span className="label">{told.step}</span>
        <select
          className="input"
          value={step}
          onChange={({ target }) => setSettings({ ...settings, lost: target.value })}
        >
          <option value="">{told.anyStep}</option>
          {LOST_STEPS.map((one) => (
            <option key={one} value={one}>
              {told.steps[one]}
            </option>
          ))}
          <option value="untold">{told.untold}</option>
        </select>
      </label>
      <label className="field">
        <span className="label">{told.search}</span>
        <input
          className="input"
          type="search"
          value={words}
          onChange={({ target }) => setSettings({ ...settings, words: target.value })}
        />
      </label>
    </div>
  )
}

interface AnswerProps extends WrongAnswersProps {
  readonly answer: WrongAnswer
}

function Answer({ answer, log, others }: AnswerProps): ReactNode {
  const told = usePageWords(RUNS)
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="said">{answer.text}</span>
        <span className="row">
          <Chip tone="alarm">{told.verdicts[answer.verdict]}</Chip>
          <Chip>{answer.lost === null ? told.untold : told.steps[answer.lost]}</Chip>
        </span>
      </summary>
      {isOpen && <AnswerWay answer={answer} log={log} others={others} />}
    </details>
  )
}
