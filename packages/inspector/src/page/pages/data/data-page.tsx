import { useState, type ReactNode } from 'react'
import type { Consent } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Asked } from '../../parts/states.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { personKey } from '../../session/queries.ts'
import { useMay } from '../../session/session.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { EraseSection, Proofs } from './erase-section.tsx'
import { ImportSection } from './import-section.tsx'
import { DATA } from './words.ts'
import './data.css'
import { useAction } from '../../parts/use-action.ts'
import { usePersonQuery } from '../../session/person-queries.ts'

/** What a person may do with what is kept of them. */
export default function DataPage({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const told = usePageWords(DATA)
  const mayWrite = useMay('write', person)
  const mayErase = useMay('erase', person)
  const [erased, setErased] = useState<readonly string[]>([])
  return (
    <Page title={words.data.title} lead={told.lead}>
      <ExportSection person={person} />
      {mayWrite && <ImportSection person={person} />}
      <ConsentSection person={person} />
      {mayWrite && (
        <section className="section data-part">
          <h2>{told.session}</h2>
          <p className="quiet">{told.sessionTold}</p>
          <Link to={{ page: 'conversation', person }}>{told.sessionGo}</Link>
        </section>
      )}
      {mayErase && <EraseSection person={person} done={(id) => setErased((ids) => [...ids, id])} />}
      <Proofs person={person} erased={erased} />
    </Page>
  )
}

function ExportSection({ person }: { readonly person: Person }): ReactNode {
  const told = usePageWords(DATA)
  const { act, isActing } = useAction(person, {
    run: (scope) => scope.exportTicket(),
    done: ({ path }) => {
      download(path)
      return told.exported
    },
  })
  return (
    <section className="section data-part">
      <h2>{told.export}</h2>
      <p className="quiet">{told.exportTold}</p>
      <div>
        <Button tone="main" onClick={() => act()} disabled={isActing}>
          {isActing ? told.exportGoing : told.exportDo}
        </Button>
      </div>
    </section>
  )
}

/** The browser writes what the server sends into a file as it comes: nothing of it is held here. */
function download(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}

const CONSENTS = ['given', 'refused', 'unasked'] as const

function ConsentSection({ person }: { readonly person: Person }): ReactNode {
  const told = usePageWords(DATA)
  const mayWrite = useMay('write', person)
  const consent = usePersonQuery(person, ['consent'], (scope, call) => scope.consent(call))
  const { act, isActing } = useAction(person, {
    run: (scope, next: Consent) => scope.setConsent(next),
    done: (_, next) => told.consentSaid[next],
    renew: personKey(person, 'consent'),
  })
  return (
    <section className="section data-part">
      <h2>{told.consent}</h2>
      <p className="quiet">{told.consentTold}</p>
      <Asked query={consent} lines={1}>
        {(now) =>
          mayWrite ? (
            <fieldset className="row">
              <legend className="hidden">{told.consent}</legend>
              {CONSENTS.map((one) => (
                <label key={one} className="row">
                  <input
                    type="radio"
                    name="consent"
                    checked={one === now}
                    disabled={isActing}
                    onChange={() => act(one)}
                  />
                  {told.consentOf[one]}
                </label>
              ))}
            </fieldset>
          ) : (
            <p>{told.consentOf[now]}</p>
          )
        }
      </Asked>
    </section>
  )
}
