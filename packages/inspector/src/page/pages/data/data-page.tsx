import { useState, type ReactNode, type FormEvent } from 'react'
import type { Consent, OwnGuidelines } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { personKey } from '../../session/queries.ts'
import { useMay } from '../../session/session.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { EraseSection, Proofs } from './erase-section.tsx'
import { ImportSection } from './import-section.tsx'
import DATA from './words.json' with { type: 'json' }
import { useAction } from '../../parts/use-action.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { readField } from '../../parts/read-field.ts'
import './data.css'

/** The page for export, import, guidelines and erasure of a user's data. */
export default function DataPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(DATA)
  const mayWrite = useMay('write', person)
  const mayErase = useMay('erase', person)
  const [erased, setErased] = useState<readonly string[]>([])
  return (
    <Page title={texts.data.title} lead={labels.lead}>
      <ExportSection person={person} />
      {mayWrite && <ImportSection person={person} />}
      <GuidelinesSection person={person} />
      <ConsentSection person={person} />
      {mayWrite && (
        <Section className="section data-part" title={labels.session} hint={labels.sessionHint}>
          <Link to={{ page: 'conversation', person }}>{labels.sessionGo}</Link>
        </Section>
      )}
      {mayErase && <EraseSection person={person} done={(id) => setErased((ids) => [...ids, id])} />}
      <Proofs person={person} erased={erased} />
    </Page>
  )
}

function ExportSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(DATA)
  const { act, isActing } = useAction(person, {
    run: (scope) => scope.exportTicket(),
    done: ({ path }) => {
      download(path)
      return labels.exported
    },
  })
  return (
    <Section className="section data-part" title={labels.export} hint={labels.exportHint}>
      <div>
        <Button tone="main" onClick={() => act()} disabled={isActing}>
          {isActing ? labels.exportGoing : labels.exportDo}
        </Button>
      </div>
    </Section>
  )
}

/** Downloads the export. The browser writes the response directly into a file, so the page does not hold it. */
function download(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}

const CONSENTS = ['given', 'refused', 'unasked'] as const

function ConsentSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(DATA)
  const mayWrite = useMay('write', person)
  const consent = usePersonQuery(person, ['consent'], (scope, call) => scope.consent(call))
  const { act, isActing } = useAction(person, {
    run: (scope, next: Consent) => scope.setConsent(next),
    done: (_, next) => labels.consentSaid[next],
    reloadKey: personKey(person, 'consent'),
  })
  return (
    <Section className="section data-part" title={labels.consent} hint={labels.consentHint}>
      <QueryResult query={consent} lines={1}>
        {(now) =>
          mayWrite ? (
            <fieldset className="row">
              <legend className="hidden">{labels.consent}</legend>
              {CONSENTS.map((one) => (
                <label key={one} className="row">
                  <input
                    type="radio"
                    name="consent"
                    checked={one === now}
                    disabled={isActing}
                    onChange={() => act(one)}
                  />
                  {labels.consentOf[one]}
                </label>
              ))}
            </fieldset>
          ) : (
            <p>{labels.consentOf[now]}</p>
          )
        }
      </QueryResult>
    </Section>
  )
}

const LISTS = ['keep', 'never'] as const

/** Shows all guidelines in force, and lets the reader change those of this user. */
function GuidelinesSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(DATA)
  const mayWrite = useMay('write', person)
  const guidelines = usePersonQuery(person, ['guidelines'], (scope, call) => scope.guidelines(call))
  const { act, isActing } = useAction(person, {
    run: (scope, next: OwnGuidelines) => scope.setGuidelines(next),
    done: () => labels.guidelinesSaid,
    reloadKey: personKey(person, 'guidelines'),
  })
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    act(Object.fromEntries(LISTS.map((list) => [list, linesOf(readField(form, list))])))
  }
  return (
    <Section className="section data-part" title={labels.guidelines} hint={labels.guidelinesHint}>
      <QueryResult query={guidelines} lines={3}>
        {(now) => (
          <form onSubmit={save} key={JSON.stringify(now.own)}>
            {LISTS.map((list) => {
              const others = now[list].filter((line) => !now.own[list].includes(line))
              return (
                <div className="field" key={list}>
                  <label htmlFor={`guidelines-${list}`}>{labels.guidelinesOf[list]}</label>
                  {others.length > 0 && (
                    <ul>
                      {others.map((line) => (
                        <li key={line}>
                          {line} <span className="quiet small">{labels.guidelinesOther}</span>
                        </li>
                      ))}
                    </ul>
                  )}
                  <textarea
                    className="input"
                    id={`guidelines-${list}`}
                    name={list}
                    rows={3}
                    readOnly={!mayWrite}
                    defaultValue={now.own[list].join('\n')}
                  />
                </div>
              )
            })}
            {mayWrite && (
              <Button tone="main" type="submit" disabled={isActing}>
                {labels.guidelinesSave}
              </Button>
            )}
          </form>
        )}
      </QueryResult>
    </Section>
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
