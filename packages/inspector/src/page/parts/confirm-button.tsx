import { useState, type ReactNode } from 'react'
import { useTexts } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmButtonProps {
  readonly label: string
  /** The question of the dialog. Default: the label. */
  readonly title?: string
  readonly explanation: string
  /** The text of the button that confirms. Default: the label. */
  readonly yes?: string
  readonly isBusy?: boolean
  readonly confirm: () => void
}

/** A button for a destructive action, which asks for confirmation. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { label, title = label, explanation, yes = label, isBusy = false, confirm } = props
  const { texts } = useTexts()
  const [isAsking, setAsking] = useState(false)
  const answer = (): void => {
    setAsking(false)
    confirm()
  }
  return (
    <>
      <Button tone="alarm" onClick={() => setAsking(true)} disabled={isBusy}>
        {label}
      </Button>
      {isAsking && (
        <Dialog title={title} onClose={() => setAsking(false)}>
          <p>{explanation}</p>
          <div className="row">
            <Button tone="alarm" onClick={answer}>
              {yes}
            </Button>
            <Button onClick={() => setAsking(false)}>{texts.states.cancel}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
