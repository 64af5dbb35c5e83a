import { Fragment, type ReactNode } from 'react'
import type { ImportPreview } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/select.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import IMPORT from './import-words.json' with { type: 'json' }
import type { ImportAnswers } from './use-import.ts'
import { fill } from '../../words/texts.ts'

type FileContents = NonNullable<ImportPreview['holds']>
type Question = NonNullable<ImportPreview['question']>

/** Formats with speakers' names, of which the reader chooses the user's. */
const CHATS: ReadonlySet<string | null> = new Set(['whatsapp', 'telegram', 'transcript'])
const MAX_SPEAKERS = 6

interface PreviewProps {
  readonly preview: ImportPreview
  readonly answers: ImportAnswers
  readonly mayAdmin: boolean
  readonly previewFile: (answers: ImportAnswers) => void
  readonly start: () => void
  readonly cancel: () => void
}

/** Shows the contents of a file, and asks for missing options. */
export function Preview({ preview, answers, mayAdmin, previewFile, start, cancel }: PreviewProps): ReactNode {
  const { counted, format } = useTexts()
  const labels = usePageTexts(IMPORT)
  const { name, holds, question } = preview
  const isKeepsakeExport = preview.format === 'keepsake'
  const turns = holds?.turns ?? 0
  return (
    <div className="import-preview">
      <h3 className="import-name">{name}</h3>
      {holds !== null && <ContentTable preview={preview} holds={holds} />}
      {holds !== null && CHATS.has(preview.format) && holds.speakers.length > 1 && (
        <Select
          label={labels.isUser}
          value={holds.userNames[0] ?? ''}
          options={holds.speakers.map((speaker) => [speaker.name, speaker.name])}
          choose={(speaker) => previewFile({ ...answers, speaker })}
        />
      )}
      {question !== null && (
        <OpenQuestion question={question} answer={(choice) => previewFile({ ...answers, ...choice })} />
      )}
      {isKeepsakeExport && (
        <p className={mayAdmin ? 'quiet' : 'problem'}>{mayAdmin ? labels.exportHint : labels.needsAdmin}</p>
      )}
      {holds !== null && turns === 0 && <p>{labels.nothing}</p>}
      <div className="row">
        {holds !== null && turns > 0 && (!isKeepsakeExport || mayAdmin) && (
          <Button tone="main" onClick={start}>
            {isKeepsakeExport
              ? fill(labels.goBack, { names: format.list(holds.people) })
              : fill(labels.go, {
                  turns: counted('turns', turns),
                })}
          </Button>
        )}
        <Button onClick={cancel}>{labels.other}</Button>
      </div>
    </div>
  )
}

function ContentTable({
  preview,
  holds,
}: {
  readonly preview: ImportPreview
  readonly holds: FileContents
}): ReactNode {
  const { counted, format } = useTexts()
  const labels = usePageTexts(IMPORT)
  const { turns, sessions, speakers, people, from, until, first, last } = holds
  const count = (number: number): string => format.number(number)
  const speaking = speakers
    .slice(0, MAX_SPEAKERS)
    .map((one) => fill(labels.speaker, { name: one.name, turns: count(one.turns) }))
  const dayOf = (at: string | null): string => (at === null ? '' : format.day(at))
  const days = { from: dayOf(from), until: dayOf(until) }
  const rows: readonly (readonly [label: string, text: string, isSaid?: boolean])[] = [
    [labels.is, preview.format === null ? '' : labels.formats[preview.format]],
    [labels.whose, preview.format === 'keepsake' ? format.list(people) : ''],
    [
      labels.holds,
      fill(labels.turnsIn, {
        turns: counted('turns', turns),
        sessions: counted('sessions', sessions),
      }),
    ],
    [labels.span, days.from === days.until ? days.from : fill(labels.spanOf, days)],
    [labels.speaks, `${format.list(speaking)}${speakers.length > MAX_SPEAKERS ? ' …' : ''}`],
    [labels.first, first ?? '', true],
    [labels.last, turns > 1 ? (last ?? '') : '', true],
  ]
  return (
    <>
      <dl className="import-facts">
        {rows
          .filter(([, text]) => text !== '')
          .map(([label, text, isSaid]) => (
            <Fragment key={label}>
              <dt className="label">{label}</dt>
              <dd className={isSaid === true ? 'said import-words' : 'figures'}>{text}</dd>
            </Fragment>
          ))}
      </dl>
      <Notes holds={holds} />
    </>
  )
}

/** Lists the skipped parts with reasons, and other notes. */
function Notes({
  holds: { leftOut, undated, statements, blocks },
}: {
  readonly holds: FileContents
}): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(IMPORT)
  const notes = [
    ...leftOut.map(({ reason, count }) => fill(labels.leftOut[reason], { count: format.number(count) })),
    ...(blocks === 0 ? [] : [fill(labels.blocks, { count: format.number(blocks) })]),
    ...(statements === 0 ? [] : [fill(labels.statements, { count: format.number(statements) })]),
    ...(undated === 0 ? [] : [fill(labels.undated, { count: format.number(undated) })]),
  ]
  if (notes.length === 0) return null
  return (
    <ul className="import-notes small quiet">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

interface OpenQuestionProps {
  readonly question: Question
  readonly answer: (answers: ImportAnswers) => void
}

/** Asks for an option that the import needs, as buttons. */
function OpenQuestion({ question: { asks, choices }, answer }: OpenQuestionProps): ReactNode {
  const { format } = useTexts()
  const labels = usePageTexts(IMPORT)
  const choiceTexts: Partial<Record<Question['asks'], Readonly<Record<string, string>>>> = {
    format: labels.formats,
    dateOrder: labels.dateOrders,
  }
  const labelOf = (name: string): string => choiceTexts[asks]?.[name] ?? name
  return (
    <fieldset className="import-open">
      <legend>{labels.asks[asks]}</legend>
      <div className="row">
        {choices.map(({ name, turns }) => (
          <Button key={name} onClick={() => answer({ [asks]: name })}>
            {turns === null
              ? labelOf(name)
              : fill(labels.speaker, { name: labelOf(name), turns: format.number(turns) })}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
