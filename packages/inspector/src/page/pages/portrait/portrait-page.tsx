import type { ReactNode } from 'react'
import type { Memory } from '@keepsake/client'
import { Difference } from '../../parts/difference.tsx'
import { Page } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import PORTRAIT from './words.json' with { type: 'json' }
import './portrait.css'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

/** Shows the portrait and the differences between its versions. */
export default function PortraitPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(PORTRAIT)
  const portrait = usePersonQuery(person, ['portrait'], (scope, call) => scope.portrait(call))
  return (
    <Page title={texts.portrait.title} lead={labels.lead}>
      <QueryResult query={portrait}>
        {({ versions }) =>
          versions.length === 0 ? (
            <Empty title={labels.empty} hint={labels.emptyHint} />
          ) : (
            <Versions person={person} versions={versions} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function Versions({ person, versions }: PersonProps & { readonly versions: readonly Memory[] }): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(PORTRAIT)
  const [settings, setSettings] = useSettings()
  const chosenIndex = versions.findIndex(({ id }) => id === settings['version']?.[0])
  const index = chosenIndex === -1 ? versions.length - 1 : chosenIndex
  const shown = versions[index]
  const before = versions[index - 1]?.id ?? ''
  const [against = before] = settings['against'] ?? []
  const other = versions.find(({ id }) => id === against)
  if (shown === undefined) return null
  const options = versions.map(
    ({ id, learnedAt }, place) =>
      [id, fill(labels.numbered, { number: format.number(place + 1), day: format.day(learnedAt) })] as const,
  )
  return (
    <>
      <div className="row">
        <Select
          label={labels.version}
          value={shown.id}
          options={options}
          choose={(version) => setSettings({ version })}
        />
        <Select
          label={labels.against}
          value={other?.id ?? 'none'}
          options={[['none', labels.nothing], ...options]}
          choose={(next) => setSettings({ version: shown.id, against: next })}
        />
        <Link to={{ page: 'why', person, memory: shown.id }}>{labels.why}</Link>
      </div>
      <Difference before={other?.text ?? shown.text} after={shown.text} className="said portrait" />
    </>
  )
}
