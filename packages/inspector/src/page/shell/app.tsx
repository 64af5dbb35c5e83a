import { useQueryClient } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { useLivePerson } from '../live/use-live.ts'
import { Button } from '../parts/button.tsx'
import { Loading } from '../parts/states.tsx'
import { NoticeProvider } from '../parts/notices.tsx'
import { useWords } from '../words/language.tsx'
import { Boundary } from './boundary.tsx'
import type { Address, Person } from '../address/address.ts'
import { Gate } from './gate.tsx'
import { Masthead } from './masthead.tsx'
import { Places } from './places.tsx'
import { PageAt } from './page-at.tsx'
import { useAddress } from '../address/use-address.ts'

/** The whole page: header, gate, and the page of the address. */
export function App(): ReactNode {
  const { words } = useWords()
  const address = useAddress()
  return (
    <NoticeProvider>
      <a className="skip button" href="#content">
        {words.shell.skip}
      </a>
      <Masthead isOpen />
      <Gate>
        <Inside address={address} />
      </Gate>
    </NoticeProvider>
  )
}

function Inside({ address }: { readonly address: Address }): ReactNode {
  const person = 'person' in address ? address.person : null
  return (
    <>
      {person !== null && <Live person={person} />}
      <div className="body" data-bare={person === null ? '' : undefined}>
        {person !== null && <Places person={person} />}
        <main id="content">
          <Boundary key={JSON.stringify(address)}>
            <Suspense fallback={<Loading />}>
              <PageAt address={address} />
            </Suspense>
          </Boundary>
        </main>
      </div>
    </>
  )
}

/** Follows a user's events, and warns when the connection is lost. */
function Live({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const queries = useQueryClient()
  const connection = useLivePerson(person)
  return (
    <div role="status">
      {connection === 'lost' && (
        <div className="lost">
          <span>{words.shell.lost}</span>
          <Button tone="plain" onClick={() => void queries.invalidateQueries()}>
            {words.shell.tryNow}
          </Button>
        </div>
      )}
    </div>
  )
}
