import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../words/language.tsx'
import { PERSON_PAGES, type Person, type PersonPage } from '../address/address.ts'
import { Link } from '../address/link.tsx'
import { useAddress } from '../address/use-address.ts'
import { usePersonQuery } from '../session/person-queries.ts'
import { personKey } from '../session/queries.ts'
import { useScope } from '../session/session.tsx'
import { fill } from '../words/texts.ts'

/** The user, and links to their pages. */
export function PersonNavigation({ person }: { readonly person: Person }): ReactNode {
  const { texts } = useTexts()
  const { page } = useAddress()
  const current = page === 'why' ? 'memories' : page
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a narrow page the links form a line that scrolls. Scrolls the link of the current page into view.
    const link = list.current?.querySelector('[aria-current]')
    if (link instanceof HTMLElement && list.current !== null) {
      const { left, right } = link.getBoundingClientRect()
      const line = list.current.getBoundingClientRect()
      if (left < line.left || right > line.right) list.current.scrollLeft += left - line.left - line.width / 3
    }
  }, [current])
  const stats = usePersonQuery(person, ['stats'], (scope, call) => scope.stats(call))
  const forms = new Set(stats.data?.live.map(({ form }) => form))
  const scope = useScope(person)
  // Not reloaded at each change, since the server needs long to answer for a large memory.
  const entities = useQuery({
    queryKey: ['has-relations', ...personKey(person)],
    queryFn: async ({ signal }) => (await scope.entities({ signal })).length > 0,
    staleTime: Infinity,
  })
  /** Whether a page would show nothing. Such pages have no link. */
  const isEmpty = (one: PersonPage): boolean =>
    (one === 'relations' && entities.data !== true) ||
    (one === 'portrait' && !forms.has('portrait')) ||
    (one === 'story' && !forms.has('story') && !forms.has('summary'))
  const { user, tenant, agent, app } = person
  const narrowings = [
    tenant !== undefined && tenant !== 'default' ? fill(texts.shell.tenant, { name: tenant }) : null,
    agent === undefined ? null : fill(texts.shell.agent, { name: agent }),
    app === undefined ? null : fill(texts.shell.app, { name: app }),
  ].filter((one) => one !== null)
  return (
    <nav className="places" aria-label={fill(texts.shell.personNavigation, { user })}>
      <div>
        <p className="whose">{user}</p>
        {narrowings.map((one) => (
          <p className="small quiet" key={one}>
            {one}
          </p>
        ))}
      </div>
      <ul ref={list}>
        {PERSON_PAGES.filter((one) => one === current || !isEmpty(one)).map((one) => (
          <li key={one}>
            <Link to={{ page: one, person }} isCurrent={one === current}>
              {texts.shell.pages[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
