import type { FormEvent, ReactNode } from 'react'
import type { OwnGuidelines } from '@keepsake/client'
import type { PersonProps } from '../../address/address.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { readField } from '../../parts/read-field.ts'
import { QueryResult } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { personKey } from '../../session/queries.ts'
import { useMay } from '../../session/session.tsx'
import { usePageTexts } from '../../words/language.tsx'
import DATA from './words.json' with { type: 'json' }

const LISTS = ['keep', 'never'] as const

/** Shows all guidelines in force, and lets the reader change those of this user. */
export function GuidelinesSection({ person }: PersonProps): ReactNode {
  const labels = usePageTexts(DATA)
  const mayWrite = useMay('write', person)
  const guidelines = usePersonQuery(person, ['guidelines'], (scope, call) => scope.guidelines(call))
  const { act, isActing } = useAction(person, {
    run: (scope, next: OwnGuidelines) => scope.setGuidelines(next),
    done: () => labels.guidelinesSaid,
    renew: personKey(person, 'guidelines'),
  })
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    act(Object.fromEntries(LISTS.map((list) => [list, linesOf(readField(form, list))])))
  }
  return (
    <Section className="section data-part" title={labels.guidelines} hint={labels.guidelinesHint}>
      <QueryResult query={guidelines} lines={3}>
        {(now) => (
          <form onSubmit={save} key={JSON.stringify(now.own)}>
            {LISTS.map((list) => {
              const others = now[list].filter((line) => !now.own[list].includes(line))
              return (
                <div className="field" key={list}>
                  <label htmlFor={`guidelines-${list}`}>{labels.guidelinesOf[list]}</label>
                  {others.length > 0 && (
                    <ul>
                      {others.map((line) => (
                        <li key={line}>
                          {line} <span className="quiet small">{labels.guidelinesOther}</span>
                        </li>
                      ))}
                    </ul>
                  )}
                  <textarea
                    className="input"
                    id={`guidelines-${list}`}
                    name={list}
                    rows={3}
                    readOnly={!mayWrite}
                    defaultValue={now.own[list].join('\n')}
                  />
                </div>
              )
            })}
            {mayWrite && (
              <Button tone="main" type="submit" disabled={isActing}>
                {labels.guidelinesSave}
              </Button>
            )}
          </form>
        )}
      </QueryResult>
    </Section>
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
