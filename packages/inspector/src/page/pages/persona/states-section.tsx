import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Section } from '../../parts/page.tsx'
import { usePersonQuery } from '../../session/person-queries.ts'
import { usePageTexts } from '../../words/language.tsx'
import PERSONA from './words.json' with { type: 'json' }

/** Shows the application's keys with their values, and its categories; nothing if it defined none. */
export function StatesSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(PERSONA)
  const states = usePersonQuery(person, ['states'], (scope, call) => scope.states({}, call))
  const categories = usePersonQuery(person, ['categories'], (scope, call) => scope.categories(call))
  const [keys, named] = [states.data ?? [], categories.data ?? []]
  return (
    <>
      {keys.length > 0 && (
        <Section title={labels.own}>
          <dl>
            {keys.map(({ key, description, value, unit }) => (
              <div key={key}>
                <dt title={description}>{key}</dt>
                <dd>
                  {value === null || value === undefined ? (
                    <span className="quiet">{labels.unknown}</span>
                  ) : (
                    <Link to={{ page: 'memories', person }} settings={{ key }}>
                      {shownValue(value, unit)}
                    </Link>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {named.length > 0 && (
        <Section title={labels.categories}>
          <ul>
            {named.map(({ name, description, facts }) => (
              <li key={name} title={description}>
                <Link to={{ page: 'memories', person }} settings={{ category: name }}>
                  {name}
                </Link>{' '}
                <span className="figures quiet">{facts}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function shownValue(value: unknown, unit: string | null): string {
  const entries = [value].flat().map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  return `${entries.join(', ')}${unit === null ? '' : ` ${unit}`}`
}
