import { diffWordsWithSpace } from 'diff'
import { useMemo, type ReactNode } from 'react'
import type { Memory } from '@keepsake/client'
import { Page } from '../../parts/page.tsx'
import { Asked, Empty } from '../../parts/states.tsx'
import type { Person } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { usePageWords, useWords } from '../../words/language.tsx'
import { PORTRAIT } from './words.ts'
import './portrait.css'
import { usePersonQuery } from '../../session/person-queries.ts'

/** The portrait, and how its versions differ. */
export default function PortraitPage({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  const labels = usePageWords(PORTRAIT)
  const portrait = usePersonQuery(person, ['portrait'], (scope, call) => scope.portrait(call))
  return (
    <Page title={words.portrait.title} lead={labels.lead}>
      <Asked query={portrait}>
        {({ versions }) =>
          versions.length === 0 ? (
            <Empty title={labels.empty}>
              <p>{labels.emptyHint}</p>
            </Empty>
          ) : (
            <Versions person={person} versions={versions} />
          )
        }
      </Asked>
    </Page>
  )
}

interface VersionsProps {
  readonly person: Person
  readonly versions: readonly Memory[]
}

function Versions({ person, versions }: VersionsProps): ReactNode {
  const labels = usePageWords(PORTRAIT)
  const [settings, setSettings] = useSettings()
  const at = versions.findIndex(({ id }) => id === settings['version']?.[0])
  const place = at === -1 ? versions.length - 1 : at
  const shown = versions[place]
  const before = versions[place - 1]?.id ?? ''
  const [against = before] = settings['against'] ?? []
  const other = versions.find(({ id }) => id === against)
  if (shown === undefined) return null
  return (
    <>
      <div className="row">
        <Choice
          label={labels.version}
          value={shown.id}
          versions={versions}
          choose={(version) => setSettings({ version })}
        />
        <Choice
          label={labels.against}
          value={other?.id ?? 'none'}
          versions={versions}
          hasNone
          choose={(next) => setSettings({ version: shown.id, against: next })}
        />
        <Link to={{ page: 'why', person, memory: shown.id }}>{labels.why}</Link>
      </div>
      <Compared text={shown.text} before={other?.text ?? null} />
    </>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly versions: readonly Memory[]
  readonly hasNone?: boolean
  readonly choose: (id: string) => void
}

function Choice({ label, value, versions, hasNone = false, choose }: ChoiceProps): ReactNode {
  const { format } = useWords()
  const labels = usePageWords(PORTRAIT)
  return (
    <label className="row small quiet">
      {label}
      <select className="input" value={value} onChange={(event) => choose(event.target.value)}>
        {hasNone && <option value="none">{labels.nothing}</option>}
        {versions.map(({ id, learnedAt }, index) => (
          <option key={id} value={id}>
            {labels.numbered(format.number(index + 1), format.day(learnedAt))}
          </option>
        ))}
      </select>
    </label>
  )
}

function Compared({ text, before }: { readonly text: string; readonly before: string | null }): ReactNode {
  const labels = usePageWords(PORTRAIT)
  const parts = useMemo(() => (before === null ? null : diffWordsWithSpace(before, text)), [text, before])
  if (parts === null) return <p className="said portrait">{text}</p>
  return (
    <p className="said portrait">
      {parts.map(({ value, added, removed }, index) =>
        added ? (
          <ins key={index} title={labels.added}>
            {value}
          </ins>
        ) : removed ? (
          <del key={index} title={labels.removed}>
            {value}
          </del>
        ) : (
          <span key={index}>{value}</span>
        ),
      )}
    </p>
  )
}
