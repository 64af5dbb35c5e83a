import type { PendingRequest } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useChange } from '../../parts/use-action.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'
import { fill } from '../../words/texts.ts'

/** Shows a request to forget that waits for confirmation: the memories that it would remove, and a button to confirm. */
export function PendingRequestNotice({
  person,
  request,
}: PersonProps & { readonly request: PendingRequest }): ReactNode {
  const { texts, format } = useTexts()
  const scope = useScope(person)
  const mayWrite = useMay('write', person)
  const { change } = useChange(person)
  const forms: Readonly<Record<string, string>> = texts.overview.forms
  const counts = Object.entries(request.removes).map(
    ([form, count]) => `${format.number(count)} ${forms[form] ?? form}`,
  )
  return (
    <div className="stack">
      <p>{fill(texts.overview.request, { going: format.list(counts) })}</p>
      {mayWrite && (
        <div>
          <ConfirmButton
            label={texts.overview.confirm}
            explanation={fill(texts.overview.confirmHint, { going: format.list(counts) })}
            confirm={() =>
              change({ make: () => scope.confirmRequest(request.turn), notice: texts.overview.confirmed })
            }
          />
        </div>
      )}
    </div>
  )
}
