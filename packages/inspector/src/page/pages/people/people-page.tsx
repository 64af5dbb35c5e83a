import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import type { Scope } from '@keepsake/client'
import { Button, MoreButton } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { readField } from '../../parts/read-field.ts'
import { QueryResult, Empty } from '../../parts/states.tsx'
import { useMay, useSession } from '../../session/session.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { goTo } from '../../address/use-address.ts'
import { useTexts } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'
import './people.css'

const PAGE_SIZE = 200

/** Lists all users if the key may list them. Otherwise lists the users that the key names, or asks for a name. */
export function PeoplePage(): ReactNode {
  const { texts } = useTexts()
  const { access } = useSession()
  const isListed = useMay('admin')
  const namedPeople = (access.users ?? []).flatMap((user) =>
    (access.tenants ?? ['default']).map((tenant): Person => ({ user, tenant })),
  )
  return (
    <Page title={texts.people.title} lead={texts.people.lead}>
      {isListed ? <AllPeople /> : namedPeople.length > 0 ? <PeopleList people={namedPeople} /> : <NameForm />}
    </Page>
  )
}

function AllPeople(): ReactNode {
  const { texts } = useTexts()
  const { client } = useSession()
  const scopes = useInfiniteQuery({
    queryKey: ['scopes'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.scopePage({ limit: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })
  if (scopes.data === undefined) return <QueryResult query={scopes}>{() => null}</QueryResult>
  const people = peopleOf(scopes.data.pages.flatMap((page) => page.items))
  if (people.length === 0) return <Empty title={texts.people.empty} hint={texts.people.emptyHint} />
  return (
    <>
      <PeopleList people={people} />
      <MoreButton query={scopes}>{texts.people.more}</MoreButton>
    </>
  )
}

function PeopleList({ people }: { readonly people: readonly Person[] }): ReactNode {
  const { texts } = useTexts()
  const [search, setSearch] = useState('')
  const matches = people.filter(({ user }) => user.toLowerCase().includes(search.trim().toLowerCase()))
  const hasTenants = people.some(({ tenant = 'default' }) => tenant !== 'default')
  return (
    <>
      <div className="row people-search">
        <input
          className="input"
          type="search"
          placeholder={texts.people.search}
          aria-label={texts.people.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="quiet small" role="status">
          {fill(texts.people.count, { count: matches.length })}
        </span>
      </div>
      {matches.length === 0 ? (
        <Empty title={texts.people.noMatch} hint={texts.people.noMatchHint} />
      ) : (
        <ul className="people">
          {matches.map((person) => (
            <li key={JSON.stringify([person.tenant, person.user])}>
              <Link to={{ page: 'overview', person }}>
                <span className="name">{person.user}</span>
                {hasTenants && <span className="quiet small">{person.tenant}</span>}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Asks for the name of a user, for a key that may not list users. */
function NameForm(): ReactNode {
  const { texts } = useTexts()
  const open = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const user = readField(event.currentTarget, 'user')
    const tenant = readField(event.currentTarget, 'tenant')
    if (user !== '') goTo({ page: 'overview', person: { user, ...(tenant === '' ? {} : { tenant }) } })
  }
  return (
    <form className="stack people-by-name" onSubmit={open}>
      <h2>{texts.people.byName}</h2>
      <p className="quiet">{texts.people.byNameHint}</p>
      <div className="field">
        <label htmlFor="user">{texts.people.user}</label>
        <input className="input" id="user" name="user" required autoComplete="off" />
      </div>
      <div className="field">
        <label htmlFor="tenant">{texts.people.tenant}</label>
        <input className="input" id="tenant" name="tenant" autoComplete="off" />
      </div>
      <div>
        <Button tone="main" type="submit">
          {texts.people.open}
        </Button>
      </div>
    </form>
  )
}

/** The users of scopes, each once, sorted by name. Agents and apps narrow within a user. */
function peopleOf(scopes: readonly Scope[]): readonly Person[] {
  const people = new Map(
    scopes.map(({ tenant, user }): [string, Person] => [JSON.stringify([tenant, user]), { tenant, user }]),
  )
  return [...people.values()].toSorted(
    (one, other) =>
      one.user.localeCompare(other.user) || (one.tenant ?? '').localeCompare(other.tenant ?? ''),
  )
}
