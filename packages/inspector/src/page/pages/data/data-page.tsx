import { useState, type ReactNode } from 'react'
import type { Consent } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { personKey } from '../../session/queries.ts'
import { useMay } from '../../session/session.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { EraseSection, Proofs } from './erase-section.tsx'
import { GuidelinesSection } from './guidelines-section.tsx'
import { ImportSection } from './import-section.tsx'
import DATA from './words.json' with { type: 'json' }
import './data.css'
import { useAction } from '../../parts/use-action.ts'
import { usePersonQuery } from '../../session/person-queries.ts'

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
    renew: personKey(person, 'consent'),
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
