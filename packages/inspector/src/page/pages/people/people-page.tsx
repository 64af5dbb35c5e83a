import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import type { Scope } from '@keepsake/client'
import { Button, MoreButton } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { readField } from '../../parts/read-field.ts'
import { Asked, Empty } from '../../parts/states.tsx'
import { useMay, useSession } from '../../session/session.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { goTo } from '../../address/use-address.ts'
import { useWords } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'
import './people.css'

const PAGE_SIZE = 200

/** All users for a key that may list them; for others those it names, or a field for a name. */
export function PeoplePage(): ReactNode {
  const { words } = useWords()
  const { access } = useSession()
  const isListed = useMay('admin')
  const known = (access.users ?? []).flatMap((user) =>
    (access.tenants ?? ['default']).map((tenant): Person => ({ user, tenant })),
  )
  return (
    <Page title={words.people.title} lead={words.people.lead}>
      {isListed ? <AllPeople /> : known.length > 0 ? <PeopleList people={known} /> : <NameForm />}
    </Page>
  )
}

function AllPeople(): ReactNode {
  const { words } = useWords()
  const { client } = useSession()
  const scopes = useInfiniteQuery({
    queryKey: ['scopes'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.scopePage({ limit: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })
  if (scopes.data === undefined) return <Asked query={scopes}>{() => null}</Asked>
  const people = peopleOf(scopes.data.pages.flatMap((page) => page.items))
  if (people.length === 0) return <Empty title={words.people.empty} hint={words.people.emptyHint} />
  return (
    <>
      <PeopleList people={people} />
      <MoreButton query={scopes}>{words.people.more}</MoreButton>
    </>
  )
}

function PeopleList({ people }: { readonly people: readonly Person[] }): ReactNode {
  const { words } = useWords()
  const [sought, setSought] = useState('')
  const found = people.filter(({ user }) => user.toLowerCase().includes(sought.trim().toLowerCase()))
  const hasTenants = people.some(({ tenant = 'default' }) => tenant !== 'default')
  return (
    <>
      <div className="row people-search">
        <input
          className="input"
          type="search"
          placeholder={words.people.search}
          aria-label={words.people.search}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
        <span className="quiet small" role="status">
          {fill(words.people.count, { count: found.length })}
        </span>
      </div>
      {found.length === 0 ? (
        <Empty title={words.people.noMatch} hint={words.people.noMatchHint} />
      ) : (
        <ul className="people">
          {found.map((person) => (
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

/** For a key that may not list users. */
function NameForm(): ReactNode {
  const { words } = useWords()
  const open = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const user = readField(event.currentTarget, 'user')
    const tenant = readField(event.currentTarget, 'tenant')
    if (user !== '') goTo({ page: 'overview', person: { user, ...(tenant === '' ? {} : { tenant }) } })
  }
  return (
    <form className="stack people-by-name" onSubmit={open}>
      <h2>{words.people.byName}</h2>
      <p className="quiet">{words.people.byNameHint}</p>
      <div className="field">
        <label htmlFor="user">{words.people.user}</label>
        <input className="input" id="user" name="user" required autoComplete="off" />
      </div>
      <div className="field">
        <label htmlFor="tenant">{words.people.tenant}</label>
        <input className="input" id="tenant" name="tenant" autoComplete="off" />
      </div>
      <div>
        <Button tone="main" type="submit">
          {words.people.open}
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
