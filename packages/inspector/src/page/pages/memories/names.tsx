import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Person, PersonProps } from '../../address/address.ts'
import { useSpeakers } from '../../session/person-queries.ts'
import { useScope } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'

/** Returns a function that names the subject of a memory. Turns give the names of the user and the agent. */
export function useSubjectNames(person: Person): (subject: string) => string {
  const { texts } = useTexts()
  const { user, assistant } = useSpeakers(person)
  return (subject) => {
    if (subject === 'user') return user ?? person.user
    return subject === 'agent' ? (assistant ?? texts.words.theAgent) : subject
  }
}

interface KeyNameProps extends PersonProps {
  readonly id: string
}

/** A key's name in the reader's language. Its id is English; the persona sheet has the names in other languages. */
export function KeyName({ person, id }: KeyNameProps): ReactNode {
  const { language } = useTexts()
  return (
    <span>
      {language === 'en' ? id.replaceAll(/[-_]/g, ' ') : <TranslatedName person={person} id={id} />}
    </span>
  )
}

function TranslatedName({ person, id }: KeyNameProps): ReactNode {
  const { language } = useTexts()
  const scope = useScope(person)
  const { tenant = 'default', user } = person
  // Not invalidated by changes of memories, since names are constant.
  const names = useQuery({
    queryKey: ['key-names', tenant, user],
    queryFn: async ({ signal }) => {
      const { subjects } = await scope.persona({ signal })
      return new Map(
        subjects.flatMap(({ entries }) => entries.map(({ key }) => [key.id, key.names] as const)),
      )
    },
    staleTime: Infinity,
  })
  return names.data?.get(id)?.[language][0] ?? id
}
