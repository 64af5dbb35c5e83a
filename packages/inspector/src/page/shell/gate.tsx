import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { readField } from '../parts/read-field.ts'
import { Failure, Loading } from '../parts/states.tsx'
import { failureKind } from '../session/failure.ts'
import { setKey, useKey } from '../session/key.ts'
import { SessionProvider, useClient } from '../session/session.tsx'
import { useTexts } from '../words/language.tsx'

/** Shows the page when the server needs no key, or after a valid one. */
export function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const key = useKey()
  const client = useClient(key)
  const access = useQuery({
    queryKey: ['access', key],
    queryFn: ({ signal }) => client.access({ signal }),
    staleTime: Infinity,
  })
  if (access.isError && failureKind(access.error) === 'locked') return <KeyForm isWrong={key !== null} />
  if (access.data !== undefined)
    return (
      <SessionProvider client={client} access={access.data}>
        {children}
      </SessionProvider>
    )
  return (
    <div className="gate">
      {access.isError ? <Failure error={access.error} retry={() => void access.refetch()} /> : <Loading />}
    </div>
  )
}

function KeyForm({ isWrong }: { readonly isWrong: boolean }): ReactNode {
  const { texts } = useTexts()
  const [isBlank, setBlank] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const newKey = readField(event.currentTarget, 'key')
    setBlank(newKey === '')
    if (newKey !== '') setKey(newKey)
  }
  const problem = isBlank ? texts.gate.blank : isWrong ? texts.gate.wrong : null
  return (
    <main className="gate" id="content">
      <h1>{texts.gate.title}</h1>
      <p className="quiet">{texts.gate.lead}</p>
      <form onSubmit={submit}>
        <div className="field">
          <label htmlFor="key">{texts.gate.key}</label>
          <input
            className="input code"
            id="key"
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="ks_…"
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : 'key-problem'}
            autoFocus
          />
        </div>
        {problem !== null && (
          <p id="key-problem" className="problem" role="alert">
            {problem}
          </p>
        )}
        <div>
          <Button tone="main" type="submit">
            {texts.gate.open}
          </Button>
        </div>
      </form>
      <p className="small quiet">
        {texts.gate.how} <code className="code">keepsake keys create --name "me"</code>
      </p>
    </main>
  )
}
