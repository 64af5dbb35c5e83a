import { useState, type ReactNode } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Consent } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Asked, useFailureWords } from '../../parts/states.tsx'
import { useTell } from '../../parts/told.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { personKey } from '../../session/queries.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { usePageWords, useWords } from '../../words/language.tsx'
import { EraseSection, Proofs } from './erase-section.tsx'
import { ImportSection } from './import-section.tsx'
import { DATA } from './words.ts'
import './data.css'

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
      {mayErase && <EraseSection person={person} told={(id) => setErased((ids) => [...ids, id])} />}
      <Proofs person={person} erased={erased} />
    </Page>
  )
}

function ExportSection({ person }: { readonly person: Person }): ReactNode {
  const told = usePageWords(DATA)
  const scope = useScope(person)
  const tell = useTell()
  const failed = useFailureWords()
  const { mutate, isPending } = useMutation({
    mutationFn: () => scope.exportTicket(),
    onSuccess: ({ path }) => {
      download(path)
      tell({ text: told.exported })
    },
    onError: (error) => tell({ text: failed(error).told }),
  })
  return (
    <section className="section data-part">
      <h2>{told.export}</h2>
      <p className="quiet">{told.exportTold}</p>
      <div>
        <Button tone="main" onClick={() => mutate()} disabled={isPending}>
          {isPending ? told.exportGoing : told.exportDo}
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
  const scope = useScope(person)
  const tell = useTell()
  const failed = useFailureWords()
  const queries = useQueryClient()
  const mayWrite = useMay('write', person)
  const consent = useQuery({
    queryKey: personKey(person, 'consent'),
    queryFn: ({ signal }) => scope.consent({ signal }),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (next: Consent) => scope.setConsent(next),
    onSuccess: (_, next) => tell({ text: told.consentSaid[next] }),
    onError: (error) => tell({ text: failed(error).told }),
    onSettled: () => void queries.invalidateQueries({ queryKey: personKey(person, 'consent') }),
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
                    disabled={isPending}
                    onChange={() => mutate(one)}
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
