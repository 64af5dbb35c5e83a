import { useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { usePageTexts } from '../../words/language.tsx'
import type { Talk } from './use-talk.ts'
import CONVERSATION from './words.json' with { type: 'json' }

interface ComposerProps {
  readonly talk: Talk
  readonly say: (text: string) => Promise<boolean>
}

/** The message field. A message that could not be sent is restored. */
export function Composer({ talk, say }: ComposerProps): ReactNode {
  const labels = usePageTexts(CONVERSATION)
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState('')
  const [isUnsent, setUnsent] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const said = text.trim()
    if (said === '' || talk.isBusy) return
    setText('')
    setUnsent(false)
    if (await say(said)) return
    setUnsent(true)
    setText((now) => (now === '' ? said : now))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // A key that ends the input of a Chinese word does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  const name = talk.maySpeak ? labels.say : labels.ask
  return (
    <form className="talk-composer" ref={form} onSubmit={(event) => void send(event)}>
      <textarea
        className="input"
        rows={2}
        aria-label={name}
        placeholder={name}
        aria-describedby="talk-keys"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isUnsent && (
        <p className="problem" role="alert">
          {labels.unsent}
        </p>
      )}
      <div className="row talk-tools">
        <span id="talk-keys" className="small quiet">
          {labels.keys}
        </span>
        <Button tone="main" type="submit" disabled={talk.isBusy}>
          {talk.maySpeak ? labels.send : labels.asking}
        </Button>
      </div>
      {talk.maySpeak && (
        <label className="talk-forgetful">
          <input
            type="checkbox"
            checked={talk.isForgetful}
            onChange={(event) => talk.setForgetful(event.target.checked)}
          />
          <span>
            {labels.forgetful}
            {talk.isForgetful && <span className="small quiet"> · {labels.forgetfulHint}</span>}
          </span>
        </label>
      )}
    </form>
  )
}
