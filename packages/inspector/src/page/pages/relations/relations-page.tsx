import type { ReactNode } from 'react'
import type { Entity } from '@keepsake/client'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import { failureKind } from '../../session/failure.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { useSubjectNames } from '../memories/names.tsx'
import { RelationGraph, type AboutProps } from './relation-graph.tsx'
import RELATIONS from './words.json' with { type: 'json' }
import { fill } from '../../words/texts.ts'
import './relations.css'

/** Persons and pets that statements relate: a list, and one of them with its neighbours as a graph. */
export default function RelationsPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(RELATIONS)
  const entities = usePersonQuery(person, ['entities'], (scope, call) => scope.entities(call))
  return (
    <Page title={texts.shell.pages.relations} lead={labels.lead}>
      <QueryResult query={entities}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={labels.empty} hint={labels.emptyHint} person={person} />
          ) : (
            <Entities person={person} entities={all} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function Entities({ person, entities }: PersonProps & { readonly entities: readonly Entity[] }): ReactNode {
  const labels = usePageTexts(RELATIONS)
  const nameOf = useSubjectNames(person)
  const [settings, setSettings] = useSettings()
  const [at = ''] = settings['at'] ?? []
  const own = entities.some(({ relations }) => relations.length > 0) ? ['user'] : []
  const names = [...own, ...entities.map(({ name }) => name)]
  const [entity = names[0] ?? ''] = settings['entity'] ?? []
  return (
    <>
      <ul className="row entities" aria-label={labels.entities}>
        {names.map((name) => {
          const { aliases = [], statements } = entities.find((one) => one.name === name) ?? {}
          const counted = statements === undefined ? [] : [fill(labels.statements, { count: statements })]
          return (
            <li key={name}>
              <Link
                to={{ page: 'relations', person }}
                settings={{ entity: name, at }}
                isCurrent={name === entity}
              >
                {nameOf(name)}
              </Link>{' '}
              <span className="small quiet figures">{[...aliases, ...counted].join(', ')}</span>
            </li>
          )
        })}
      </ul>
      <label className="row">
        {labels.at}
        <input
          className="input"
          type="date"
          style={{ width: 'auto' }}
          value={at}
          onChange={({ target }) => setSettings({ entity, at: target.value })}
        />
      </label>
      <About person={person} entity={entity} at={at} nameOf={nameOf} />
    </>
  )
}

function About({ person, entity, at, nameOf }: AboutProps & { readonly entity: string }): ReactNode {
  const labels = usePageTexts(RELATIONS)
  const about = usePersonQuery(person, ['about', entity, at], async (scope, call) => {
    const day = at === '' ? {} : { at: new Date(`${at}T23:59:59`).toISOString() }
    return scope.about(entity, { depth: 2, ...day }, call).catch((error: unknown) => {
      if (failureKind(error) === 'missing') return null
      throw error
    })
  })
  return (
    <QueryResult query={about}>
      {(found) =>
        found === null ? (
          <Empty title={fill(labels.unknown, { name: nameOf(entity) })} />
        ) : (
          <>
            <RelationGraph person={person} about={found} at={at} nameOf={nameOf} />
            {found.statements.length > 0 && (
              <Section title={fill(labels.said, { name: nameOf(found.entity.name) })}>
                <ul className="stack">
                  {found.statements.map(({ id, text, validFrom }) => (
                    <li key={id}>
                      <Link className="said" to={{ page: 'why', person, memory: id }}>
                        {text}
                      </Link>{' '}
                      <span className="small quiet">
                        <Moment at={validFrom} />
                      </span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </>
        )
      }
    </QueryResult>
  )
}
